"""Which browser a page is open in, as far as a server can tell two of them apart."""

import hashlib

import streamlit as st

_COOKIE = "_streamlit_xsrf"


def browser_key() -> str | None:
    """The same for every page of one browser, unguessable for any other; None when the browser keeps no cookies.

    Streamlit's cookie is its token under a mask that is new at each load, so the mask comes off first.
    """
    cookie = st.context.cookies.get(_COOKIE)
    if not isinstance(cookie, str):
        return None
    try:
        version, mask, masked, _time = cookie.strip("\"'").split("|")
        mask_bytes, masked_bytes = bytes.fromhex(mask), bytes.fromhex(masked)
    except ValueError:
        return None
    if version != "2" or len(mask_bytes) != 4 or len(masked_bytes) < 16:
        return None
    token = bytes(byte ^ mask_bytes[place % 4] for place, byte in enumerate(masked_bytes))
    return hashlib.sha256(token).hexdigest()
