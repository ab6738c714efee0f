"""Types and effects of Java's expressions."""

from equimut.languages.expressions import Expressions

_BOXES = {
    "Integer": "int", "Long": "long", "Float": "float", "Double": "double",
    "Short": "short", "Byte": "byte", "Character": "char", "Boolean": "boolean",
}  # fmt: skip
_TEXTS = frozenset({"String", "StringBuilder", "StringBuffer", "CharSequence"})
_SIZED = frozenset(
    {
        "List", "ArrayList", "LinkedList", "Map", "HashMap", "TreeMap", "Set", "HashSet",
        "TreeSet", "Collection", "Deque", "ArrayDeque", "Queue", "Vector", "LinkedHashMap",
        "LinkedHashSet",
    }
)  # fmt: skip
_COUNTS = ("SIZE", "BYTES", "MIN_RADIX", "MAX_RADIX", "MIN_CODE_POINT", "MAX_CODE_POINT",
           "MIN_SUPPLEMENTARY_CODE_POINT", "MIN_EXPONENT", "MAX_EXPONENT")  # fmt: skip
"""Constants of the boxes that are no values of their type."""

EXPRESSIONS = Expressions(
    literals={
        "integer": "int", "float": "double", "hex_floating_point_literal": "double",
        "boolean": "boolean", "string": "String", "char": "char", "null": "null",
        "instanceof_expression": "boolean",
    },
    suffixes={("int", "l"): "long", ("double", "f"): "float"},
    promotion=("int", "long", "float", "double"),
    integers=frozenset({"int", "long", "short", "byte", "char"}),
    boxes=_BOXES,
    inferred="var",
    receiver="this",
    returns={
        **{f"{box}.*": _BOXES[box] for box in ("Integer", "Long", "Double", "Character")},
        **{f"{box}.{name}": "int" for box in _BOXES for name in _COUNTS},
        "Boolean.TRUE": "Boolean", "Boolean.FALSE": "Boolean", ".length": "int",
        "Character.toLowerCase": "=", "Character.toUpperCase": "=",
        "Math.abs": "=", "Math.max": "=", "Math.min": "=",
        "length": "int", "size": "int", "indexOf": "int", "lastIndexOf": "int", "hashCode": "int",
        "compareTo": "int", "compare": "int", "parseInt": "int", "intValue": "int",
        "getNumericValue": "int", "codePointAt": "int", "charCount": "int", "nextInt": "int",
        "bitCount": "int", "numberOfTrailingZeros": "int", "numberOfLeadingZeros": "int",
        "ordinal": "int", "getAsInt": "int",
        "parseLong": "long", "longValue": "long", "currentTimeMillis": "long", "nanoTime": "long",
        "charAt": "char", "toLowerCase": "String", "toUpperCase": "String",
        "equals": "boolean", "equalsIgnoreCase": "boolean", "isEmpty": "boolean",
        "contains": "boolean", "startsWith": "boolean", "endsWith": "boolean",
        "containsKey": "boolean", "hasNext": "boolean", "isDigit": "boolean",
        "isLetter": "boolean", "isLetterOrDigit": "boolean", "isWhitespace": "boolean",
        "isNaN": "boolean", "isInfinite": "boolean", "matches": "boolean",
        "substring": "String", "trim": "String", "toString": "String", "strip": "String",
        "sqrt": "double", "pow": "double", "floor": "double", "ceil": "double", "sin": "double",
        "cos": "double", "tan": "double", "hypot": "double", "doubleValue": "double",
        "parseDouble": "double",
        "toCharArray": "char[]", "getBytes": "byte[]", "split": "String[]",
    },
    likely_returns={
        "abs": "=", "max": "=", "min": "=", "round": "long", "floorMod": "int", "floorDiv": "int",
        "addExact": "int", "multiplyExact": "int", "repeat": "String", "replace": "String",
        "concat": "String", "log": "double", "exp": "double", "random": "double", "rint": "double",
        "signum": "double", "valueOf": "String",
    },
    lengths={"length": _TEXTS, "size": _SIZED},
    failing=frozenset({"/", "%"}),
    harmless_calls=frozenset(
        {
            "Math.*", "get(_)", "length", "size", "isEmpty", "charAt", "equals", "hashCode",
            "compareTo", "contains", "indexOf", "lastIndexOf", "substring", "trim", "toString",
            "startsWith", "endsWith", "containsKey", "valueOf", "parseInt", "parseLong",
            "parseDouble", "intValue", "of", "longValue", "doubleValue", "empty", "emptyList",
            "asList", "ordinal", "name", "format",
        }
    ),
    getters=r"(get|is|has)(?!And)[A-Z]",
    deferred=frozenset({"lambda_expression", "class_body"}),
)  # fmt: skip
