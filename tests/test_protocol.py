"""Frames and what the host makes of those that nobody honest would send."""

import json
import struct
from dataclasses import replace
from typing import Any

import pytest

from sandbox.cell_result import CellResult
from sandbox.inside.frames import MAX_HEADER, PART_BYTES, FrameReader, encode, encode_parts
from sandbox.limits import Limits
from sandbox.printed_text import PrintedText
from sandbox.protocol import FrameError, Message, MessageReader
from sandbox.sandbox import ExecutionResult, StateLoss

LIMITS = Limits()
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", 10, 10)


def test_frames_survive_any_cut() -> None:
    stream = encode({"type": "a", "text": "é"}, b"1") + encode({"type": "b"}) + encode({"type": "c"}, b"\0" * 1000)
    for size in (1, 2, 7, 1000, len(stream)):
        reader = FrameReader(1000)
        pieces = (stream[at : at + size] for at in range(0, len(stream), size))
        frames = [frame for piece in pieces for frame in reader.feed(piece)]
        assert frames == [({"type": "a", "text": "é"}, b"1"), ({"type": "b"}, b""), ({"type": "c"}, b"\0" * 1000)]


@pytest.mark.parametrize(
    "stream",
    [
        struct.pack(">II", MAX_HEADER + 1, 0),
        struct.pack(">II", 10, PART_BYTES + 1),
        struct.pack(">II", 2, 0) + b"[]",
        struct.pack(">II", 2, 0) + b"{}",
        struct.pack(">II", 10, 0) + b'{"type":1}',
        struct.pack(">II", 2, 0) + b"\xff\xff",
        struct.pack(">II", 60_000, 0) + b"[" * 60_000,
        b"HTTP/1.1 400 Bad Request\r\n",
        encode({"type": "table", "more": True}, b"x") + encode({"type": "file"}),
        encode({"type": "table", "more": True, "n": 1}, b"x") + encode({"type": "table", "n": 2}),
    ],
)
def test_what_is_no_frame_ends_the_conversation(stream: bytes) -> None:
    with pytest.raises(FrameError):
        list(MessageReader(LIMITS).feed(stream))


def test_a_message_without_end_is_given_up() -> None:
    reader = MessageReader(replace(LIMITS, file_bytes=1_000_000))
    part = encode({"type": "file", "more": True}, b"x" * PART_BYTES)
    with pytest.raises(FrameError):
        for _ in range(100):
            list(reader.feed(part))


@pytest.mark.parametrize("size", [0, 1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES])
def test_large_messages_go_in_parts(size: int) -> None:
    frames = list(encode_parts({"type": "file", "execution": "e", "name": "n"}, b"x" * size))
    assert len(frames) == max(1, -(-size // PART_BYTES))
    (message,) = MessageReader(LIMITS).feed(b"".join(frames))
    assert (message.kind, message.execution, len(message.content)) == ("file", "e", size)


def result_of(*messages: tuple[dict[str, Any], bytes], limits: Limits = LIMITS, **done: Any) -> ExecutionResult:
    result = CellResult(limits, 60)
    for header, content in messages:
        result.add(Message(header["type"], "e", header, content))
    return result.finish(Message("done", "e", {"type": "done", "outcome": "ok", **done}, b""), 0.5)


def as_table(**values: Any) -> tuple[dict[str, Any], bytes]:
    table = {"columns": ["a"], "rows": [[1]], "row_count": 1, "index_columns": 0, **values}
    return {"type": "table"}, json.dumps(table).encode()


@pytest.mark.parametrize(
    "table",
    [
        as_table(columns="a"),
        as_table(columns=[1]),
        as_table(columns=["x" * 20_000]),
        as_table(columns=["a"] * 2000),
        as_table(rows=[[1, 2]]),
        as_table(rows=[[]]),
        as_table(rows=[[[1]]]),
        as_table(rows=[[float("nan")]]),
        as_table(rows=[[1]] * 6000),
        as_table(row_count=-1),
        as_table(row_count=1.5),
        as_table(row_count=True),
        as_table(index_columns=2),
        ({"type": "table"}, b"\xff"),
        ({"type": "table"}, b"[" * 100_000),
    ],
)
def test_a_table_that_is_none_is_left_out(table: tuple[dict[str, Any], bytes]) -> None:
    assert result_of(table).tables == ()


def test_a_table_is_made_safe() -> None:
    row = [1e5, 9007199254740993, "\ud800"]
    (table,) = result_of(as_table(columns=["a", "a", "\ud800\0"], rows=[row], row_count=0, index_columns=1)).tables
    assert table.columns == ("a", "a (2)", "?")
    assert table.rows == ((1e5, "9007199254740993", "?"),)
    assert table.row_count == 1


def test_what_the_sandbox_counts_is_not_believed() -> None:
    limits = replace(LIMITS, tables=2, charts=1, files=1)
    file = {"type": "file", "kind": "file", "name": "../../../../app/x.txt"}
    chart = {"type": "file", "kind": "chart", "name": "c.png"}
    result = result_of(*[as_table()] * 5, *[(file, b"x")] * 5, *[(chart, PNG)] * 5, limits=limits)
    assert (len(result.tables), len(result.files), len(result.charts)) == (2, 1, 1)
    assert result.files[0].name == "x.txt"


@pytest.mark.parametrize("content", [b"<svg/>", b"", PNG[:20], PNG[:16] + struct.pack(">II", 5000, 10)])
def test_a_chart_that_is_no_picture_is_a_file(content: bytes) -> None:
    result = result_of(({"type": "file", "kind": "chart", "name": "c.png"}, content))
    assert (result.charts, [each.kind for each in result.files]) == ((), ["file"])


def test_more_than_the_total_is_left_out_with_a_notice() -> None:
    file = {"type": "file", "kind": "file", "name": "a"}
    result = result_of(*[(file, b"x" * 900_000)] * 2, limits=replace(LIMITS, total_bytes=1000))
    assert len(result.files) == 1
    assert "More was handed back than one cell may" in str(result.notices[0])


def test_the_hosts_own_observation_wins() -> None:
    result = result_of(
        ({"type": "duration"}, b"-5"), duration_s=-5, lost="container_gone", stopped="sometimes", signal="x"
    )
    assert (result.duration_s, result.state_lost, result.timed_out) == (0.5, None, False)
    assert result_of(lost="crash", signal=10**9).error == (
        "The Python process crashed (signal 1000000000). Python was started anew: the variables are gone, "
        "the files are still there."
    )
    assert result_of(lost=["crash"], outcome="error").state_lost is None
    assert result_of(lost="exit", exit_code={}).state_lost is StateLoss.EXIT


def test_what_a_cell_took_is_believed_only_where_it_can_be() -> None:
    usage = result_of(cpu_s=0.4, peak_bytes=100_000_000).usage
    assert (usage.cpu_s, usage.peak_bytes) == (0.4, 100_000_000)
    absurd: list[Any] = [-1.0, -1, 1e9, 10**15, float("nan"), float("inf"), "0.4", None, True, [1], {}]
    for figure in absurd:
        usage = result_of(cpu_s=figure, peak_bytes=figure).usage
        assert (usage.cpu_s, usage.peak_bytes) == (None, None)
    assert result_of(lost="memory").usage.limits_hit == ("memory_mb",)


def test_a_library_that_is_missing_is_a_notice() -> None:
    def finished(error: bytes) -> ExecutionResult:
        result = CellResult(LIMITS, 60, (("NumPy", "2.4.6"),))
        return result.finish(Message("done", "e", {"type": "done", "outcome": "error"}, error), 0.5)

    (notice,) = finished(b"ModuleNotFoundError: No module named 'lifelines'\n").notices
    assert str(notice).startswith(
        "The library lifelines is not installed in the sandbox. Installed: numpy 2.4.6. To add"
    )
    assert finished(b"KeyError: 'lifelines'").notices == ()


def test_notices_are_plain_texts_of_bounded_length() -> None:
    def notice(**values: Any) -> tuple[dict[str, Any], bytes]:
        return {"type": "notice"}, json.dumps({"template": "{a} {b.__class__} {c:>999999999}", **values}).encode()

    result = result_of(
        notice(values={"a": 1, "b": "x"}), notice(template="x" * 2000), notice(values={"a": [1]}), notice(values=[])
    )
    assert [str(each) for each in result.notices] == ["1 {b.__class__} {c:>999999999}"]


@pytest.mark.parametrize("content", [b"[]", b"{}", b'{"data": {}}', b"x", b'{"data": [NaN]}'])
def test_a_figure_that_is_none_is_left_out(content: bytes) -> None:
    assert result_of(({"type": "figure", "name": "figure_1"}, content)).figures == ()


def test_text_is_cut_where_the_sandbox_says_it_is_and_where_it_does_not() -> None:
    text = PrintedText(10)
    assert text.add("é".encode()[:1]) == ""
    assert text.add("é".encode()[1:] + b"bcd") == "ébcd"
    assert text.whole() == ("ébcd", False)
    assert text.add(b"x" * 1000, lost_before=5) == "\n[… about 5 characters left out …]\n" + "x" * 6
    whole, was_cut = text.whole()
    assert was_cut
    assert whole.startswith("ébcd\n[… about")
    assert whole.endswith("\nxxxxx")
