"""Judges a file and writes the Python that reads it; only ``sandbox.inside.table`` is called from elsewhere."""
