"""Comment removal that knows strings from comments, because the grammar does."""

from equimut.languages import LanguageSpec
from equimut.parsing.tree import parse


def remove_comments(source: str, language: str | LanguageSpec) -> str:
    """The source without comments. Line breaks inside comments stay, so line numbers do too."""
    tree = parse(source, language)
    pieces, position = [], 0
    stack = [tree.root]
    while stack:
        node = stack.pop()
        if node.type in tree.language.comments:
            breaks = tree.source.count(b"\n", node.start_byte, node.end_byte)
            pieces += [tree.source[position : node.start_byte], b"\n" * breaks or b" "]
            position = node.end_byte
        elif node.type not in tree.language.atomic:
            stack.extend(reversed(node.children))
    pieces.append(tree.source[position:])
    return b"".join(pieces).decode()
