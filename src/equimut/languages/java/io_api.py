"""What the JDK's streams and readers promise; one of yours could break its part."""

from equimut.languages.contracts import Contract

_READ = "a read returns -1 at the end, else what was read"
_ONE = Contract("int", ensures=("result >= -1", "result <= 255"), assumes=_READ)
_CHARACTER = Contract("int", ensures=("result >= -1", "result <= 65535"), assumes=_READ)
_SOME = Contract("int", ensures=("result >= -1", "result <= count(a0)"), assumes=_READ)
_SOME_CHARACTERS = Contract("int", ensures=("result >= -1",), assumes=_READ)
_PART = Contract(
    "int", assumes=_READ, ensures=(
        "result >= -1", "result <= a2",
        "result <= 0 or (a1 >= 0 and a1 <= count(a0) - result)",
    ),
)  # fmt: skip
_LEFT = Contract("int", ensures=("result >= 0",), assumes="what is available is never negative")
INPUTS = ("InputStream", "ByteArrayInputStream", "BufferedInputStream", "FileInputStream",
          "FilterInputStream", "DataInputStream", "PushbackInputStream")  # fmt: skip
READERS = ("Reader", "BufferedReader", "InputStreamReader", "StringReader", "FileReader",
           "FilterReader", "PushbackReader", "LineNumberReader", "CharArrayReader")  # fmt: skip
STREAMS: dict[tuple[str, str, int], Contract] = {
    ("BufferedReader", "readLine", 0): Contract("String"),
    ("LineNumberReader", "readLine", 0): Contract("String"),
    ("DataInputStream", "readUnsignedByte", 0): Contract(
        "int", ensures=("result >= 0", "result <= 255"), words="an unsigned byte is 0 to 255"
    ),
    ("DataInputStream", "readUnsignedShort", 0): Contract(
        "int", ensures=("result >= 0", "result <= 65535"), words="an unsigned short is 0 to 65535"
    ),
    ("ByteArrayOutputStream", "size", 0): Contract(
        "int", pure=True, reads=True, ensures=("result >= 0",),
        assumes="a stream has written no less than nothing, and asking for it changes nothing",
    ),
    ("ByteArrayOutputStream", "toByteArray", 0): Contract("byte[]", fresh=True),
    ("File", "length", 0): Contract(
        "long", ensures=("result >= 0",), assumes="a file's length is never negative"
    ),
    ("File", "exists", 0): Contract("boolean"),
    ("File", "isDirectory", 0): Contract("boolean"),
    ("File", "isFile", 0): Contract("boolean"),
    ("File", "getName", 0): Contract("String", fresh=True),
    ("File", "getPath", 0): Contract("String", fresh=True),
}  # fmt: skip
for _owner in INPUTS:
    STREAMS[_owner, "read", 0] = _ONE
    STREAMS[_owner, "read", 1] = _SOME
    STREAMS[_owner, "read", 3] = _PART
    STREAMS[_owner, "available", 0] = _LEFT
for _owner in READERS:
    STREAMS[_owner, "read", 0] = _CHARACTER
    STREAMS[_owner, "read", 1] = _SOME_CHARACTERS
    STREAMS[_owner, "read", 3] = _PART
INHERITED = {
    "FilterInputStream": {"in": "InputStream"}, "FilterReader": {"in": "Reader"},
    "FilterOutputStream": {"out": "OutputStream"}, "FilterWriter": {"out": "Writer"},
    "AbstractList": {"modCount": "int"},
}  # fmt: skip
"""Fields that a class of the JDK leaves to those that extend it."""
PARENTS = {
    **dict.fromkeys((
        "Object", "Comparable", "Iterable", "Runnable", "Cloneable", "AutoCloseable",
        "CharSequence", "Appendable", "Exception", "RuntimeException", "Error", "Throwable",
        "IllegalArgumentException", "IllegalStateException", "IndexOutOfBoundsException",
        "UnsupportedOperationException", "ArithmeticException", "NumberFormatException", "Number",
    ), "java.lang"),
    **dict.fromkeys((
        "Serializable", "Closeable", "Flushable", "Externalizable", "InputStream", "OutputStream",
        "Reader", "Writer", "FilterInputStream", "FilterOutputStream", "FilterReader",
        "FilterWriter", "BufferedReader", "BufferedInputStream", "BufferedWriter",
        "InputStreamReader", "IOException", "EOFException", "PrintStream", "PrintWriter",
        "ByteArrayInputStream", "ByteArrayOutputStream", "PushbackInputStream", "StringReader",
        "StringWriter", "DataInputStream", "DataOutputStream",
    ), "java.io"),
    **dict.fromkeys((
        "Iterator", "ListIterator", "Enumeration", "Collection", "List", "Set", "Map", "Queue",
        "Deque", "SortedMap", "SortedSet", "NavigableMap", "NavigableSet", "Comparator",
        "RandomAccess", "AbstractCollection", "AbstractList", "AbstractSet", "AbstractMap",
        "AbstractQueue", "AbstractSequentialList", "ArrayList", "LinkedList", "HashMap",
        "LinkedHashMap", "TreeMap", "HashSet", "TreeSet", "NoSuchElementException",
        "EventListener", "EventObject", "Properties", "Vector", "Stack", "Hashtable",
    ), "java.util"),
}  # fmt: skip
"""Types of the JDK that others extend, with their packages."""
LEFT_TO_OTHERS = frozenset({
    "lock", "in", "out", "buf", "count", "marklimit", "markpos", "pos", "mark", "written",
    "modCount", "source", "defaults", "capacityIncrement", "elementCount", "elementData",
})  # fmt: skip
"""The names of all fields that those types leave to what extends them."""
