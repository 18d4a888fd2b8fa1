"""Pieces of the page: they draw values and decide nothing."""
