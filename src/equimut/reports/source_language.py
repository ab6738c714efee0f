"""The language of a reported file: one that can be parsed here, or only its name."""

from pathlib import PurePosixPath

from equimut.languages import LANGUAGES, LanguageSpec

_OTHER_SUFFIXES = {
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".tsx": "typescript", ".vue": "vue",
    ".cs": "csharp", ".scala": "scala", ".kt": "kotlin", ".groovy": "groovy", ".php": "php",
    ".rs": "rust", ".go": "go", ".rb": "ruby", ".swift": "swift",
    ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hpp": "cpp",
}  # fmt: skip
_OTHER_NAMES = {
    "cs": "csharp", "c#": "csharp", "c++": "cpp", "js": "javascript", "ts": "typescript",
    "tsx": "typescript", "jsx": "javascript", "py": "python", "python3": "python", "rs": "rust",
}  # fmt: skip


def language_name(file: str, stated: str = "") -> str:
    """A file's language: what the report states, else what the suffix stands for, else unknown."""
    name = stated.strip().lower()
    if name:
        return _OTHER_NAMES.get(name, name)
    suffix = PurePosixPath(file.replace("\\", "/")).suffix.lower()
    for language in LANGUAGES.values():
        if suffix in language.suffixes:
            return language.name
    return _OTHER_SUFFIXES.get(suffix, suffix.lstrip(".") or "unknown")


def grammar_for(name: str) -> LanguageSpec | None:
    """The language of that name, if it can be parsed here."""
    return LANGUAGES.get(name)
