"""What the JDK promises, one line each: tested against the running JDK.

`ensures`, `defines` and `throws` are expressions over `this`, `a0`, `a1`, `result`, `null`,
`length(string)`, `count(array)`, `size(collection or builder)`, `width(a0)`, the length of a
string or 1 for a character, `nan(number)`, `infinite(number)` and `minus(number)`, whether it has a
minus sign, as -0.0 has; prover and test both read them.
"""

from collections.abc import Mapping

from equimut.languages.contracts import Contract
from equimut.languages.java.collections_api import COLLECTIONS
from equimut.languages.java.io_api import INPUTS, READERS, STREAMS
from equimut.languages.lowered import CLASS_LITERAL

Contracts = dict[tuple[str, str, int], Contract]


def _of(owner: str, lines: Mapping[tuple[str, int], Contract]) -> Contracts:
    return {(owner, name, arity): contract for (name, arity), contract in lines.items()}


def _alike(owner: str, names: str, arity: int, contract: Contract) -> Contracts:
    return {(owner, name, arity): contract for name in names.split()}


_MATH = {
    **_of("Math", {
        ("abs", 1): Contract("=", pure=True, defines="a0 if a0 >= 0 else -a0"),
        ("max", 2): Contract("=", pure=True, defines="a0 if a0 >= a1 else a1"),
        ("min", 2): Contract("=", pure=True, defines="a0 if a0 <= a1 else a1"),
    }),
    **_alike("Math", "sqrt", 1, Contract(
        "double", pure=True, total=True,
        ensures=("nan(result) or result >= 0", "minus(a0) or not minus(result)"),
        words="a square root is never negative")),
    **_alike("Math", "exp", 1, Contract(
        "double", pure=True, total=True, ensures=("not minus(result)",),
        words="a power of e has no minus sign")),
    **_alike("Math", "hypot", 2, Contract(
        "double", pure=True, total=True, ensures=("not minus(result)",),
        words="a distance has no minus sign")),
    **_alike("Math", "cbrt floor ceil rint log log10 sin cos tan asin acos atan "
                     "toRadians toDegrees", 1, Contract("double", pure=True, total=True)),
    **_alike("Math", "pow atan2", 2, Contract("double", pure=True, total=True)),
}  # fmt: skip
_INSIDE = "result < 0 or result <= length(this) - width(a0)"
_FOUND = "a position in a string is -1 or inside it"
_INDEX = Contract("int", pure=True, ensures=("result >= -1", _INSIDE), words=_FOUND)
_INDEX_FROM = Contract(
    "int", pure=True, words=_FOUND,
    ensures=("result >= -1", _INSIDE, "result < 0 or result >= a1 or width(a0) == 0"),
)  # fmt: skip
_LAST_FROM = Contract(
    "int", pure=True, words=_FOUND, ensures=("result >= -1", _INSIDE, "result < 0 or result <= a1")
)
_PART = Contract(
    "boolean", pure=True, throws="a0 == null",
    ensures=("not result or length(this) >= length(a0)",),
    words="a part of a string is not longer than the string",
)  # fmt: skip
_CASE = Contract(  # by the rules of a locale that the program may set
    "String", pure=True, reads=True, fresh=True,
    ensures=("length(this) != 0 or length(result) == 0",),
    words="nothing in another case is nothing",
)  # fmt: skip
_SHORTER = Contract(
    "String", pure=True, fresh=True, ensures=("length(result) <= length(this)",),
    words="a trimmed string is not longer",
)  # fmt: skip
_STRING = {
    **_of("String", {
        ("length", 0): Contract("int", pure=True, defines="length(this)"),
        ("isEmpty", 0): Contract("boolean", pure=True, defines="length(this) == 0"),
        ("charAt", 1): Contract("char", pure=True, throws="a0 < 0 or a0 >= length(this)"),
        ("codePointAt", 1): Contract(
            "int", pure=True, throws="a0 < 0 or a0 >= length(this)",
            ensures=(
                "result >= 0", "result <= 1114111", "result < 65536 or a0 + 2 <= length(this)",
            ),
            words="a code point is never negative, and inside the string",
        ),
        ("substring", 2): Contract(
            "String", pure=True, throws="a0 < 0 or a1 > length(this) or a0 > a1",
            ensures=(
                "length(result) == a1 - a0", "a0 != 0 or a1 != length(this) or result == this",
            ),
            fresh=True, words="`substring(a, b)` has b - a characters",
        ),
        ("substring", 1): Contract(
            "String", pure=True, throws="a0 < 0 or a0 > length(this)",
            ensures=("length(result) == length(this) - a0", "a0 != 0 or result == this"),
            fresh=True, words="`substring(a)` lacks the first a characters",
        ),
        ("equals", 1): Contract(
            "boolean", pure=True, total=True,
            ensures=("result or this != a0", "not result or length(this) == length(a0)"),
            words="a string equals itself, and none of another length",
        ),
        ("compareTo", 1): Contract(
            "int", pure=True, ensures=("result == 0 or this != a0",),
            words="a string compares as 0 with itself",
        ),
        ("equalsIgnoreCase", 1): Contract(
            "boolean", pure=True, total=True, words="a string equals none of another length",
            ensures=("result or this != a0", "not result or length(this) == length(a0)"),
        ),
        ("toString", 0): Contract("String", pure=True, defines="this"),
        ("concat", 1): Contract(
            "String", pure=True, fresh=True, ensures=("length(a0) != 0 or result == this",),
            words="what is joined with nothing stays as it is",
        ),
        ("toCharArray", 0): Contract(
            "char[]", fresh=True, keeps=True, ensures=("count(result) == length(this)",),
            words="`toCharArray` has as many elements as the string has characters",
        ),
        ("getChars", 4): Contract(
            "void", fills=True, words="what was copied was inside of string and array",
            ensures=(
                "a0 >= 0", "a0 <= a1", "a1 <= length(this)", "a2 != null", "a3 >= 0",
                "a3 <= count(a2) - (a1 - a0)",
            ),
        ),
        ("startsWith", 2): Contract("boolean", pure=True),
        ("split", 1): Contract("String[]", fresh=True, keeps=True),
        ("split", 2): Contract("String[]", fresh=True, keeps=True),
        ("getBytes", 0): Contract("byte[]", fresh=True, keeps=True),
        ("valueOf", 1): Contract("String"),
        ("subSequence", 2): Contract(
            "CharSequence", pure=True, throws="a0 < 0 or a1 > length(this) or a0 > a1", fresh=True
        ),
    }),
    **_alike("String", "indexOf lastIndexOf", 1, _INDEX),
    **_alike("String", "indexOf", 2, _INDEX_FROM),
    **_alike("String", "lastIndexOf", 2, _LAST_FROM),
    **_alike("String", "trim strip stripLeading stripTrailing", 0, _SHORTER),
    **_alike("String", "hashCode", 0, Contract("int", pure=True)),
    **_alike("String", "isBlank", 0, Contract("boolean", pure=True)),
    **_alike("String", "startsWith endsWith contains", 1, _PART),
    **_alike("String", "matches", 1, Contract("boolean", pure=True)),
    **_alike("String", "compareToIgnoreCase", 1, Contract("int", pure=True)),
    **_alike("String", "toUpperCase toLowerCase", 0, _CASE),
    **_alike("String", "intern", 0, Contract("String", pure=True, fresh=True)),
    **_alike("String", "replace replaceAll replaceFirst", 2,
             Contract("String", pure=True, fresh=True)),
}  # fmt: skip
_CHARACTER = {
    **_alike("Character", "isDigit isLetter isLetterOrDigit isWhitespace isUpperCase isLowerCase "
                          "isAlphabetic isSpaceChar isTitleCase isDefined isISOControl "
                          "isJavaIdentifierStart isJavaIdentifierPart isHighSurrogate "
                          "isLowSurrogate isSurrogate", 1,
             Contract("boolean", pure=True, total=True)),
    **_alike("Character", "toLowerCase toUpperCase toTitleCase", 1,
             Contract("a0", pure=True, total=True)),
    **_of("Character", {
        ("compare", 2): Contract("int", pure=True, total=True, defines="a0 - a1"),
        ("digit", 2): Contract(
            "int", pure=True, total=True, ensures=("result >= -1", "result <= 35"),
            words="a digit is -1 or has a value",
        ),
        ("getNumericValue", 1): Contract(
            "int", pure=True, total=True, ensures=("result >= -2",),
            words="a numeric value is at least -2",
        ),
        ("charCount", 1): Contract(
            "int", pure=True, total=True, defines="2 if a0 >= 65536 else 1"
        ),
        ("forDigit", 2): Contract("char", pure=True, total=True),
    }),
}  # fmt: skip


def _whole(owner: str, type_: str, bits: int) -> Contracts:
    """What `Integer` and `Long` have in common."""
    counted = Contract(
        "int", pure=True, total=True, ensures=("result >= 0", f"result <= {bits}"),
        words=f"a count of bits is between 0 and {bits}",
    )  # fmt: skip
    lines = {
        ("compare", 2): Contract(
            "int", pure=True, total=True, defines="-1 if a0 < a1 else (0 if a0 == a1 else 1)"
        ),
        ("signum", 1): Contract(
            "int", pure=True, total=True, defines="-1 if a0 < 0 else (0 if a0 == 0 else 1)"
        ),
        ("max", 2): Contract(type_, pure=True, total=True, defines="a0 if a0 >= a1 else a1"),
        ("min", 2): Contract(type_, pure=True, total=True, defines="a0 if a0 <= a1 else a1"),
        ("sum", 2): Contract(type_, pure=True, total=True, defines="a0 + a1"),
        (f"parse{'Int' if owner == 'Integer' else owner}", 1): Contract(type_, pure=True),
        (f"parse{'Int' if owner == 'Integer' else owner}", 2): Contract(type_, pure=True),
    }
    return {
        **_of(owner, lines),
        **_alike(owner, "bitCount numberOfLeadingZeros numberOfTrailingZeros", 1, counted),
        **_alike(owner, "highestOneBit lowestOneBit reverse reverseBytes", 1,
                 Contract(type_, pure=True, total=True)),
        **_alike(owner, "toHexString toBinaryString toOctalString", 1,
                 Contract("String", pure=True, total=True, fresh=True)),
    }  # fmt: skip


def _kinds(owner: str) -> Contracts:
    """What tells numbers from what is none."""
    return _of(owner, {
        ("isNaN", 1): Contract("boolean", pure=True, total=True, defines="nan(a0)"),
        ("isInfinite", 1): Contract("boolean", pure=True, total=True, defines="infinite(a0)"),
        ("isFinite", 1): Contract(
            "boolean", pure=True, total=True, defines="not (nan(a0) or infinite(a0))"
        ),
    })  # fmt: skip


_NUMBERS = {
    **_whole("Integer", "int", 32), **_whole("Long", "long", 64),
    **_kinds("Double"), **_kinds("Float"),
    **{(owner, "compare", 2): Contract(
        "int", pure=True, total=True, ensures=("result >= -1", "result <= 1"),
        words="a comparison of numbers is -1, 0 or 1") for owner in ("Double", "Float")},
    **_alike("Double", "parseDouble", 1, Contract("double", pure=True)),
    **_alike("Double", "doubleToLongBits doubleToRawLongBits", 1,
             Contract("long", pure=True, total=True)),
    **_alike("Float", "floatToIntBits floatToRawIntBits", 1,
             Contract("int", pure=True, total=True)),
    **_alike("Boolean", "parseBoolean", 1, Contract("boolean", pure=True, total=True)),
}  # fmt: skip
EQUALS = (
    "`equals` keeps its contract: an object equals itself and never null; to ask changes nothing"
)
TEXTS = "`toString` answers with one text until something changes; to ask changes nothing"
_OBJECTS = {
    **_of("Objects", {
        ("isNull", 1): Contract("boolean", pure=True, total=True, defines="a0 == null"),
        ("nonNull", 1): Contract("boolean", pure=True, total=True, defines="a0 != null"),
        ("requireNonNull", 1): Contract("a0", pure=True, throws="a0 == null", defines="a0"),
        ("requireNonNull", 2): Contract(
            "a0", ensures=("result == a0", "a0 != null"), words="`requireNonNull` returns no null"
        ),
        ("equals", 2): Contract(
            "boolean", pure=True, reads=True, total=True, assumes=EQUALS,
            ensures=("result or a0 != a1", "not result or a0 != null or a1 == null"),
        ),
        ("hashCode", 1): Contract("int"),
        ("toString", 1): Contract("String"),
    }),
    **_of("Object", {
        ("equals", 1): Contract(
            "boolean", pure=True, reads=True, total=True, assumes=EQUALS,
            ensures=("result or this != a0", "not result or a0 != null"),
        ),
        ("hashCode", 0): Contract("int"),
        ("toString", 0): Contract("String", pure=True, reads=True, fails=True, assumes=TEXTS),
        ("getClass", 0): Contract("Class", pure=True, fresh=True),
    }),
    **_of("Enum", {
        ("ordinal", 0): Contract(
            "int", pure=True, ensures=("result >= 0",), words="an ordinal is never negative"
        ),
        ("name", 0): Contract("String", pure=True, fresh=True),
        ("equals", 1): Contract("boolean", pure=True, total=True, defines="this == a0"),
    }),
    **_alike("Optional", "isPresent isEmpty", 0, Contract("boolean", pure=True)),
    **_alike("System", "currentTimeMillis nanoTime", 0, Contract("long")),
    **_alike("System", "identityHashCode", 1, Contract("int")),
}  # fmt: skip
_ARRAYS = {
    ("Arrays", "copyOf", 2): Contract(
        "a0", ensures=("count(result) == a1",), fresh=True, keeps=True,
        words="a copy has the length asked for",
    ),
    ("Arrays", "copyOfRange", 3): Contract(
        "a0", ensures=("count(result) == a2 - a1",), fresh=True, keeps=True,
        words="a copy has the length asked for",
    ),
    ("Arrays", "equals", 2): Contract(
        "boolean", pure=True, reads=True, total=True, assumes=EQUALS,
        ensures=("result or a0 != a1",),
    ),
    ("Arrays", "deepEquals", 2): Contract(
        "boolean", pure=True, reads=True, total=True, assumes=EQUALS,
        ensures=("result or a0 != a1",),
    ),
    **_alike("Arrays", "fill", 2, Contract("void", fills=True)),
    **_alike("Arrays", "fill", 4, Contract("void", fills=True)),
    **_alike("Arrays", "sort", 1, Contract("void", fills=True)),
    **_alike("Arrays", "sort", 3, Contract("void", fills=True)),
    ("Arrays", "asList", 1): Contract("List", fresh=True),
    ("Arrays", "toString", 1): Contract("String", fresh=True),
}  # fmt: skip
CONTRACTS: Contracts = {
    **_MATH, **_STRING, **_CHARACTER, **_NUMBERS, **_OBJECTS, **_ARRAYS, **COLLECTIONS, **STREAMS,
}  # fmt: skip
LITERALS: Contracts = _alike(
    CLASS_LITERAL, "getName getSimpleName getTypeName getCanonicalName", 0,
    Contract("String", pure=True, total=True, fresh=True),
)  # fmt: skip
"""The same of `X.class`: only the lowering knows where these are asked."""
RETURNS = {place: contract.result for place, contract in CONTRACTS.items()}
PACKAGES = dict.fromkeys((
    *INPUTS, *READERS, "FilterOutputStream", "FilterWriter", "OutputStream", "Writer",
    "ByteArrayOutputStream", "StringWriter", "File", "IOException", "EOFException",
    "BufferedOutputStream", "BufferedWriter", "DataOutputStream",
), "java.io")  # fmt: skip
CAPACITIES = frozenset({
    "StringBuilder", "StringBuffer", "ArrayList", "ArrayDeque", "Vector", "LinkedHashMap",
    "LinkedHashSet", "ByteArrayOutputStream", "StringWriter",
})  # fmt: skip
"""Classes whose one whole number is a capacity: below zero it throws, else nobody sees it. Of a
`HashMap` it shows in the order of its keys."""
EXCEPTIONS = frozenset({
    "IllegalArgumentException", "IllegalStateException", "NullPointerException",
    "IndexOutOfBoundsException", "ArrayIndexOutOfBoundsException", "RuntimeException",
    "StringIndexOutOfBoundsException", "UnsupportedOperationException", "NumberFormatException",
    "ArithmeticException", "ClassCastException", "Exception", "Error", "AssertionError",
    "NegativeArraySizeException", "CloneNotSupportedException",
})  # fmt: skip
LANGUAGE = frozenset({
    "Math", "String", "Character", "Integer", "Long", "Double", "Float", "Boolean", "Object",
    "Byte", "Short", "Number", *EXCEPTIONS,
    "Enum", "System", "StringBuilder", "StringBuffer", "CharSequence", "this", "super",
})  # fmt: skip
"""Classes that need no import; the others are of `java.util`, or of a package that is given."""
MADE = CAPACITIES | EXCEPTIONS | {
    "HashMap", "HashSet", "TreeMap", "TreeSet", "LinkedList", "Object", "String",
    "NoSuchElementException", "ConcurrentModificationException", "IOException", "EOFException",
}  # fmt: skip
"""Classes whose constructors, given plain arguments, know nothing of the program's objects."""
QUIET_SUPERCLASSES = frozenset({
    "Object", "InputStream", "OutputStream", "Reader", "Writer", "FilterInputStream",
    "FilterOutputStream", "FilterReader", "FilterWriter", "AbstractCollection", "AbstractList",
    "AbstractSet", "AbstractMap", "AbstractSequentialList", "AbstractQueue", "Number",
    "BufferedInputStream", "BufferedOutputStream", "BufferedReader", "BufferedWriter",
    "PushbackInputStream", "DataInputStream", "DataOutputStream", "ByteArrayInputStream",
    "ByteArrayOutputStream", "StringReader", "StringWriter", "EventObject", "Dictionary",
})  # fmt: skip
"""Classes whose constructors call nothing that a subclass could override, and keep the object."""
_RUNTIME = ("RuntimeException", "Exception", "Throwable")
SUPERTYPES = {
    "NullPointerException": _RUNTIME,
    "ArithmeticException": _RUNTIME,
    "ClassCastException": _RUNTIME,
    "NegativeArraySizeException": _RUNTIME,
    "ArrayStoreException": _RUNTIME,
    "ArrayIndexOutOfBoundsException": ("IndexOutOfBoundsException", *_RUNTIME),
    "StringIndexOutOfBoundsException": ("IndexOutOfBoundsException", *_RUNTIME),
}
