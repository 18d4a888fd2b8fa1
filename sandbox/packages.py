"""The libraries that code finds in every sandbox, as the list that the image and the analysis environment share."""

import functools
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parent / "image" / "requirements.txt"


@functools.cache
def installed_packages() -> tuple[tuple[str, str], ...]:
    """Names and versions of the listed libraries, without those they need in turn."""
    listed = REQUIREMENTS.read_text("utf-8").partition("# What those need")[0]
    pairs = (line.strip().partition("==") for line in listed.splitlines())
    return tuple((name, version) for name, is_pin, version in pairs if is_pin)
