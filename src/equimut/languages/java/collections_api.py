"""What the JDK's collections and builders promise; a collection of yours could break its part."""

from equimut.languages.contracts import Contract

_QUIET = "a collection's size is never negative, and asking for it changes nothing"
_NONE = "a collection is empty if its size is 0, and asking for it changes nothing"
_INSIDE = (
    "a character sequence has no character outside of its length, and to read it changes nothing"
)
_EQUAL = "looking for an element in a collection changes nothing"
_SIZED = ("List ArrayList LinkedList Collection Set HashSet TreeSet Map HashMap TreeMap Deque "
          "ArrayDeque Queue Vector Stack LinkedHashMap LinkedHashSet SortedMap SortedSet "
          "NavigableMap NavigableSet PriorityQueue EnumMap EnumSet Hashtable")  # fmt: skip
_SIZE = Contract("int", pure=True, reads=True, defines="size(this)", assumes=_QUIET)
_EMPTY = Contract("boolean", pure=True, reads=True, defines="size(this) == 0", assumes=_NONE)
_FOUND = Contract("boolean", pure=True, reads=True, assumes=_EQUAL)
_PLACE = Contract(
    "int", pure=True, reads=True, ensures=("result >= -1", "result < size(this)"),
    assumes="a position in a list is -1 or inside it, and looking for it changes nothing",
)  # fmt: skip
COLLECTIONS: dict[tuple[str, str, int], Contract] = {}
for _owner in _SIZED.split():
    COLLECTIONS[_owner, "size", 0] = _SIZE
    COLLECTIONS[_owner, "isEmpty", 0] = _EMPTY
    COLLECTIONS[_owner, "hashCode", 0] = Contract("int")
    if "Map" in _owner or _owner == "Hashtable":
        COLLECTIONS[_owner, "containsKey", 1] = _FOUND
        COLLECTIONS[_owner, "keySet", 0] = Contract("Set")
        COLLECTIONS[_owner, "entrySet", 0] = Contract("Set")
        COLLECTIONS[_owner, "values", 0] = Contract("Collection")
    else:
        COLLECTIONS[_owner, "contains", 1] = _FOUND
        COLLECTIONS[_owner, "add", 1] = Contract("boolean")
        COLLECTIONS[_owner, "addAll", 1] = Contract("boolean")
        COLLECTIONS[_owner, "iterator", 0] = Contract("Iterator")
for _owner in ("List", "ArrayList", "LinkedList", "Vector", "Stack"):
    COLLECTIONS[_owner, "indexOf", 1] = _PLACE
    COLLECTIONS[_owner, "lastIndexOf", 1] = _PLACE
    COLLECTIONS[_owner, "subList", 2] = Contract("List")
    COLLECTIONS[_owner, "listIterator", 0] = Contract("ListIterator")
for _owner in ("Iterator", "ListIterator"):
    COLLECTIONS[_owner, "hasNext", 0] = Contract("boolean")
COLLECTIONS["Enumeration", "hasMoreElements", 0] = Contract("boolean")
for _name in ("size", "length", "cardinality"):
    COLLECTIONS["BitSet", _name, 0] = Contract(
        "int", ensures=("result >= 0",), assumes="the size of a bit set is never negative"
    )

_AT = "a0 < 0 or a0 >= size(this)"
for _owner in ("StringBuilder", "StringBuffer", "CharSequence"):
    _assumed = "a length is read without effects" if _owner == "CharSequence" else ""
    COLLECTIONS[_owner, "length", 0] = Contract(
        "int", pure=True, reads=True, defines="size(this)", assumes=_assumed
    )
    COLLECTIONS[_owner, "charAt", 1] = Contract(
        "char", pure=True, reads=True, throws=_AT, assumes=_INSIDE if _assumed else ""
    )
    COLLECTIONS[_owner, "toString", 0] = Contract(
        "String", pure=not _assumed, reads=True, fresh=not _assumed
    )
for _owner in ("StringBuilder", "StringBuffer"):
    for _name in ("indexOf", "lastIndexOf"):
        COLLECTIONS[_owner, _name, 1] = Contract(
            "int", pure=True, reads=True, ensures=("result >= -1", "result <= size(this)"),
            words="a position in a builder is -1 or inside it",
        )  # fmt: skip
    _chained = Contract(
        _owner,
        ensures=("result == this",),
        fresh=True,
        keeps=True,
        words="a builder returns itself",
    )
    for _name, _arity in (("append", 1), ("append", 3), ("insert", 2), ("reverse", 0),
                          ("deleteCharAt", 1), ("delete", 2), ("replace", 3)):  # fmt: skip
        COLLECTIONS[_owner, _name, _arity] = _chained
    COLLECTIONS[_owner, "getChars", 4] = Contract("void", fills=True)
    COLLECTIONS[_owner, "substring", 1] = Contract("String", pure=True, reads=True, fresh=True,
                                                   throws="a0 < 0 or a0 > size(this)")  # fmt: skip
    COLLECTIONS[_owner, "substring", 2] = Contract(
        "String", pure=True, reads=True, fresh=True,
        throws="a0 < 0 or a1 > size(this) or a0 > a1",
    )  # fmt: skip

ELEMENTS: dict[tuple[str, str, int], str] = {}
"""Results that are told by type arguments of the receiver: `0` is the first, `1` the second."""
_ENDS = ("getFirst", "getLast", "removeFirst", "removeLast", "pollFirst", "pollLast", "peekFirst",
         "peekLast", "poll", "peek", "pop", "element", "remove")  # fmt: skip
for _owner in _SIZED.split():
    if "Map" in _owner or _owner == "Hashtable":
        for _name, _arity, _type in (
            ("get", 1, "1"), ("getOrDefault", 2, "1"), ("remove", 1, "1"), ("keySet", 0, "Set<0>"),
            ("values", 0, "Collection<1>"), ("entrySet", 0, "Set<Map.Entry<0, 1>>"),
        ):  # fmt: skip
            ELEMENTS[_owner, _name, _arity] = _type
    else:
        ELEMENTS[_owner, "iterator", 0] = "Iterator<0>"
for _owner in ("List", "ArrayList", "LinkedList", "Vector", "Stack"):
    ELEMENTS[_owner, "get", 1] = "0"
    ELEMENTS[_owner, "subList", 2] = "List<0>"
    ELEMENTS[_owner, "listIterator", 0] = "ListIterator<0>"
for _owner in ("Deque", "ArrayDeque", "LinkedList"):
    ELEMENTS |= {(_owner, _name, 0): "0" for _name in _ENDS}
ELEMENTS |= {(_owner, _name, 0): "0" for _owner in ("Queue", "PriorityQueue")
             for _name in ("poll", "peek", "element", "remove")}  # fmt: skip
ELEMENTS |= {
    ("Stack", "pop", 0): "0", ("Stack", "peek", 0): "0", ("Iterator", "next", 0): "0",
    ("ListIterator", "next", 0): "0", ("ListIterator", "previous", 0): "0",
    ("Enumeration", "nextElement", 0): "0", ("Map.Entry", "getKey", 0): "0",
    ("Map.Entry", "getValue", 0): "1", ("Optional", "get", 0): "0",
    **{(_owner, _name, 0): "0" for _owner in ("SortedSet", "NavigableSet", "TreeSet")
       for _name in ("first", "last")},
}  # fmt: skip
JDK_NAMES = frozenset(
    {owner for owner, _, _ in (*COLLECTIONS, *ELEMENTS)}
    - {"StringBuilder", "StringBuffer", "CharSequence", "Map.Entry"}
)
"""The classes of `java.util` that something is known of."""
