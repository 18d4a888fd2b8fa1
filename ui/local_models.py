"""The servers of models on this machine, looked for once each time a page is opened."""

import streamlit as st

from agents.models.local_servers import LocalServer, local_servers

_KEY = "servers_here"


def servers_here() -> tuple[LocalServer, ...]:
    """It takes less than a second, and no time on a rerun."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = local_servers()
    found: tuple[LocalServer, ...] = st.session_state[_KEY]
    return found
