"""The upload box, and what becomes of files that the sandbox cannot take yet."""

from collections.abc import Iterable

import streamlit as st
from streamlit.typing import UploadedFile

from analysis.analysis import Analysis
from sandbox.sandbox import SandboxError
from ui.actions import is_busy
from ui.language import tell
from ui.problems import keep_news, keep_problem
from ui.queue_view import draw_waiting, telling_queue
from wording import Sentence, ToldError

_SECONDS_BETWEEN_LOOKS = 1.0


def upload_box(analysis: Analysis, label: str, *, largest_mb: int, is_ready: bool) -> None:
    """Take new files in. What the sandbox cannot take yet stays in the box and follows when it is ready."""
    number = st.session_state.setdefault("uploads", 0)
    most_mb = min(largest_mb, int(st.get_option("server.maxUploadSize")))
    with st.container(key=f"files-{number}", gap="xsmall"):
        uploads = st.file_uploader(
            label,
            accept_multiple_files=True,
            key=f"upload-{number}",
            max_upload_size=most_mb,
            on_change=lambda: st.session_state.pop("upload_failed", None),
            disabled=is_busy(analysis),
        )
        st.caption(tell("Up to {limit} MB a file. A larger one is marked red and not taken.", limit=f"{most_mb:,}"))
    if analysis.takes_file:
        st.fragment(_draw_taking, run_every=_SECONDS_BETWEEN_LOOKS)(analysis)
        return
    if not uploads or not is_ready or is_busy(analysis):
        return
    if st.session_state.get("upload_failed"):
        st.button(
            tell("Add the files again"), on_click=lambda: st.session_state.pop("upload_failed"), key="upload-again"
        )
        return
    with st.spinner(tell("Reading the files…")):
        _add_all(analysis, uploads)
    st.rerun()


def _draw_taking(analysis: Analysis) -> None:
    """How far the files are that this page, before it was loaded again, or another one began to add."""
    if not analysis.takes_file:
        st.rerun()
    draw_waiting(analysis.sandbox_status.waiting or Sentence("Reading the files…"))


def _add_all(analysis: Analysis, uploads: Iterable[UploadedFile]) -> None:
    """Add each; only a failing sandbox is a reason to try the same files again."""
    st.session_state["problems"] = []
    for upload in uploads:
        try:
            before = len(analysis.files)
            telling_queue(analysis, lambda tell_step: analysis.add_file(upload.name, upload, tell_step))  # noqa: B023
            if analysis.record.is_begun and len(analysis.files) > before:  # the line in the chat may be out of sight
                name = analysis.files[-1].name
                keep_news(Sentence("{name} was added.", {"name": name}), ":material/attach_file:")
        except SandboxError as error:
            keep_problem(error.sentence)
            st.session_state["upload_failed"] = True
            return
        except ToldError as error:
            keep_problem(error.sentence)
    st.session_state["uploads"] += 1
