"""Decides what to do next; knows tools, but neither Docker nor Streamlit."""
