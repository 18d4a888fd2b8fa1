"""A browser is known by the token in Streamlit's cookie, whatever mask the token wears at each load."""

from types import SimpleNamespace

import pytest
import streamlit as st

from ui.browser import browser_key

TOKEN, OTHER = bytes(range(16)), bytes(range(1, 17))


def cookie(token: bytes, mask: bytes) -> str:
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(token))
    return f"2|{mask.hex()}|{masked.hex()}|1790000000"


def key_with(monkeypatch: pytest.MonkeyPatch, cookies: dict[str, object]) -> str | None:
    monkeypatch.setattr(st, "context", SimpleNamespace(cookies=cookies))
    return browser_key()


def test_the_same_token_is_the_same_browser_under_any_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {
        key_with(monkeypatch, {"_streamlit_xsrf": cookie(TOKEN, mask)})
        for mask in (b"abcd", b"\0\0\0\0", b"\xff\x01zz")
    }
    assert len(keys) == 1
    assert None not in keys


def test_another_token_is_another_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    first = key_with(monkeypatch, {"_streamlit_xsrf": cookie(TOKEN, b"abcd")})
    assert first != key_with(monkeypatch, {"_streamlit_xsrf": cookie(OTHER, b"abcd")})
    assert TOKEN.hex() not in str(first)


@pytest.mark.parametrize(
    "value",
    [None, "", "2|", "2|zz|00|1", "1|61626364|" + "00" * 16 + "|1", "2|6162|" + "00" * 16 + "|1", "2|61626364|00|1"],
)
def test_without_a_whole_cookie_there_is_no_browser(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    assert key_with(monkeypatch, {"_streamlit_xsrf": value}) is None
    assert key_with(monkeypatch, {}) is None
