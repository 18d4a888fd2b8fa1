"""The Chinese for each English template; places such as ``{name}`` stay as they are."""

CHINESE: dict[str, str] = {}
