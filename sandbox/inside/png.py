"""Tells a PNG picture that can be shown by its first bytes; decodes nothing."""

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""With which every PNG file begins."""
_BEGINNING = PNG_SIGNATURE + b"\x00\x00\x00\rIHDR"


def is_png(start: bytes, longest_side: int) -> bool:
    """Whether a file that begins so is a PNG picture of at most so many pixels a side."""
    if not start.startswith(_BEGINNING) or len(start) < 24:
        return False
    width, height = int.from_bytes(start[16:20], "big"), int.from_bytes(start[20:24], "big")
    return 0 < width <= longest_side and 0 < height <= longest_side
