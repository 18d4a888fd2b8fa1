"""How much the profile of a table tells at most: what the inside keeps to, and the host checks and reckons with."""

MOST_MARKS = 512
"""Of one column."""
