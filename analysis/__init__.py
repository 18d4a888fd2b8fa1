"""One person's work, whatever the face; knows agents and sandbox, never Streamlit."""
