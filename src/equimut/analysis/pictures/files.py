"""Pictures as bytes, in the format that a file's name asks for."""

import warnings
from io import BytesIO
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from equimut.errors import EquimutError

FORMATS = ("svg", "png", "pdf")


def format_of(path: Path) -> str:
    """The picture format that a file's suffix asks for."""
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise EquimutError(f"{path}: cannot draw {suffix or 'that'!r}; use one of {known}")
    return suffix


def picture_bytes(figure: Figure, picture_format: str) -> bytes:
    """The file of a picture; the same graph gives the same file."""
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(picture_format, {})
    picture = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "equimut"}), warnings.catch_warnings():
        # A letter the font does not have is drawn as a box: nothing to talk about.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(picture, format=picture_format, dpi=150, metadata=metadata)
    return picture.getvalue()
