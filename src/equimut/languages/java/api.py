"""What the JDK promises, one line each: tested against the running JDK.

`ensures` and `defines` are expressions over `this`, `a0`, `a1`, `result` and `length(string)`, in a
notation that is read both by the prover and by the test that runs them in Java.
"""

from equimut.languages.contracts import Contract

_MATH = {
    ("Math", "abs", 1): Contract("=", pure=True, defines="a0 if a0 >= 0 else -a0"),
    ("Math", "max", 2): Contract("=", pure=True, defines="a0 if a0 >= a1 else a1"),
    ("Math", "min", 2): Contract("=", pure=True, defines="a0 if a0 <= a1 else a1"),
}
_STRING = {
    ("String", "length", 0): Contract("int", pure=True, defines="length(this)"),
    ("String", "isEmpty", 0): Contract("boolean", pure=True, defines="length(this) == 0"),
    ("String", "charAt", 1): Contract(
        "char", pure=True, throws="a0 < 0 or a0 >= length(this)"
    ),
    ("String", "indexOf", 1): Contract(
        "int", pure=True, ensures=("result >= -1", "result < length(this)")
    ),
    ("String", "indexOf", 2): Contract(
        "int", pure=True, ensures=("result >= -1", "result <= length(this)")
    ),
    ("String", "lastIndexOf", 1): Contract(
        "int", pure=True, ensures=("result >= -1", "result <= length(this)")
    ),
    ("String", "substring", 2): Contract(
        "String", pure=True, throws="a0 < 0 or a1 > length(this) or a0 > a1",
        ensures=("length(result) == a1 - a0",), fresh=True,
    ),
    ("String", "substring", 1): Contract(
        "String", pure=True, throws="a0 < 0 or a0 > length(this)",
        ensures=("length(result) == length(this) - a0",), fresh=True,
    ),
    ("String", "trim", 0): Contract(
        "String", pure=True, ensures=("length(result) <= length(this)",), fresh=True
    ),
    ("String", "equals", 1): Contract(
        "boolean", pure=True, total=True, ensures=("result or this != a0",)
    ),
    ("String", "hashCode", 0): Contract("int", pure=True),
    ("String", "compareTo", 1): Contract("int", pure=True),
    ("String", "startsWith", 1): Contract("boolean", pure=True),
    ("String", "endsWith", 1): Contract("boolean", pure=True),
    ("String", "toUpperCase", 0): Contract("String", pure=True, fresh=True),
    ("String", "toLowerCase", 0): Contract("String", pure=True, fresh=True),
    ("String", "concat", 1): Contract("String", pure=True, fresh=True),
    ("String", "toCharArray", 0): Contract("char[]", fresh=True),
}  # fmt: skip
_CHARACTER = {
    ("Character", name, 1): Contract("boolean", pure=True, total=True)
    for name in ("isDigit", "isLetter", "isLetterOrDigit", "isWhitespace", "isUpperCase",
                 "isLowerCase", "isAlphabetic", "isSpaceChar")
}  # fmt: skip
_INTEGER = {
    ("Integer", "bitCount", 1): Contract(
        "int", pure=True, total=True, ensures=("result >= 0", "result <= 32")
    ),
    ("Integer", "numberOfLeadingZeros", 1): Contract(
        "int", pure=True, total=True, ensures=("result >= 0", "result <= 32")
    ),
    ("Integer", "numberOfTrailingZeros", 1): Contract(
        "int", pure=True, total=True, ensures=("result >= 0", "result <= 32")
    ),
    ("Integer", "compare", 2): Contract(
        "int", pure=True, total=True,
        defines="-1 if a0 < a1 else (0 if a0 == a1 else 1)",
    ),
}  # fmt: skip
_SIZED = ("List", "ArrayList", "LinkedList", "Collection", "Set", "HashSet", "TreeSet", "Map",
          "HashMap", "TreeMap", "Deque", "ArrayDeque", "Queue", "Vector", "Stack", "LinkedHashMap",
          "LinkedHashSet", "SortedMap", "SortedSet", "PriorityQueue", "EnumMap", "BitSet",
          "ConcurrentHashMap", "Iterator", "ListIterator")  # fmt: skip
_COLLECTIONS: dict[tuple[str, str, int], Contract] = {}
for _owner in _SIZED:
    _COLLECTIONS[_owner, "size", 0] = Contract(
        "int", ensures=("result >= 0",), assumes="a collection's size is never negative"
    )
    _COLLECTIONS[_owner, "isEmpty", 0] = Contract("boolean")
    _COLLECTIONS[_owner, "hasNext", 0] = Contract("boolean")
    _COLLECTIONS[_owner, "indexOf", 1] = Contract(
        "int", ensures=("result >= -1",), assumes="indexOf answers -1 or a position"
    )
    _COLLECTIONS[_owner, "contains", 1] = Contract("boolean")
    _COLLECTIONS[_owner, "containsKey", 1] = Contract("boolean")
_BUILDERS: dict[tuple[str, str, int], Contract] = {}
for _owner in ("StringBuilder", "StringBuffer", "CharSequence"):
    _BUILDERS[_owner, "length", 0] = Contract(
        "int", ensures=("result >= 0",), assumes="a length is never negative"
    )
    _BUILDERS[_owner, "charAt", 1] = Contract("char")
    _BUILDERS[_owner, "indexOf", 1] = Contract(
        "int", ensures=("result >= -1",), assumes="indexOf answers -1 or a position"
    )
    _BUILDERS[_owner, "toString", 0] = Contract("String")
    if _owner != "CharSequence":
        _BUILDERS[_owner, "append", 1] = Contract(_owner)
        _BUILDERS[_owner, "insert", 2] = Contract(_owner)
        _BUILDERS[_owner, "reverse", 0] = Contract(_owner)

CONTRACTS = {**_MATH, **_STRING, **_CHARACTER, **_INTEGER, **_COLLECTIONS, **_BUILDERS}
RETURNS = {(owner, name): contract.result for (owner, name, _), contract in CONTRACTS.items()}
SUPERTYPES = {
    "NullPointerException": ("RuntimeException", "Exception", "Throwable"),
    "ArithmeticException": ("RuntimeException", "Exception", "Throwable"),
    "ClassCastException": ("RuntimeException", "Exception", "Throwable"),
    "NegativeArraySizeException": ("RuntimeException", "Exception", "Throwable"),
    "ArrayIndexOutOfBoundsException": (
        "IndexOutOfBoundsException", "RuntimeException", "Exception", "Throwable",
    ),
    "StringIndexOutOfBoundsException": (
        "IndexOutOfBoundsException", "RuntimeException", "Exception", "Throwable",
    ),
}  # fmt: skip
