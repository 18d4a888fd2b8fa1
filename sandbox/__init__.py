"""Runs hostile code and hands back plain values; knows no agent, no model and no page."""
