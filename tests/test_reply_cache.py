"""The same request is answered from disk the second time, for no tokens, and no key is ever in the file."""

import json
import logging
import sqlite3
from pathlib import Path

import pytest

from agents.chat_messages import Reasoning
from agents.events import TextWritten, Usage
from agents.models.language_model import ModelError, ModelReply, Piece
from agents.models.reply_cache import CachedLanguageModel
from agents.stop_signal import StopSignal
from analysis.analysis import Analysis, ModelChoice
from settings import Settings
from tests.chat_server import ChatServer
from tests.chat_server import says as server_says
from tests.fake_sandbox import FakeSandbox
from tests.openai_fixtures import request
from tests.scripted_model import ScriptedModel, asks, fails, says


def ask(model: ScriptedModel, path: Path, text: str = "Hello", server: str = "https://a/v1") -> list[Piece]:
    return list(CachedLanguageModel(model, server, path).stream(request(text=text), StopSignal()))


def test_the_second_time_the_reply_comes_from_the_file_and_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "replies.sqlite"
    model = ScriptedModel(says("The sum ", "is 7."))
    assert len(ask(model, path)) == 3
    assert ask(model, path) == [TextWritten("The sum is 7."), ModelReply(text="The sum is 7.", usage=Usage())]
    assert path.stat().st_mode & 0o077 == 0


def test_calls_and_thoughts_come_back_too(tmp_path: Path) -> None:
    thoughts = Reasoning(source="m", text="Hm.", items=({"type": "reasoning", "encrypted_content": "s"},))
    wanted = asks("print(1)")[-1]
    assert isinstance(wanted, ModelReply)
    model = ScriptedModel([ModelReply(calls=wanted.calls, reasoning=thoughts)])
    ask(model, tmp_path / "r")
    assert ask(model, tmp_path / "r") == [ModelReply(calls=wanted.calls, reasoning=thoughts)]


def test_another_request_or_server_is_asked_anew(tmp_path: Path) -> None:
    model = ScriptedModel(says("1"), says("2"), says("3"))
    texts = [ask(model, tmp_path / "r"), ask(model, tmp_path / "r", "Bye"), ask(model, tmp_path / "r", server="b")]
    assert [pieces[0] for pieces in texts] == [TextWritten("1"), TextWritten("2"), TextWritten("3")]


def test_what_is_not_whole_is_not_kept(tmp_path: Path) -> None:
    cut = [ModelReply(text="First of", is_cut=True)]
    model = ScriptedModel(fails(ModelError("Busy. Ask again."), "The "), list(cut), says("7"))
    with pytest.raises(ModelError):
        ask(model, tmp_path / "r")
    ask(model, tmp_path / "r")
    assert ask(model, tmp_path / "r")[0] == TextWritten("7")


def test_a_file_that_cannot_be_used_is_told_in_the_log_and_the_model_asked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "r"
    path.write_text("no database, and longer than the header of one " * 10, encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        assert ask(ScriptedModel(says("7")), path)[0] == TextWritten("7")
    assert "cannot be used" in caplog.text


def test_a_reply_of_another_version_is_not_read(tmp_path: Path) -> None:
    ask(ScriptedModel(says("7")), tmp_path / "r")
    with sqlite3.connect(tmp_path / "r") as database:
        database.execute("UPDATE replies SET reply = ?", (json.dumps({"words": "7"}),))
    database.close()
    assert ask(ScriptedModel(says("8")), tmp_path / "r")[0] == TextWritten("8")


def test_only_the_newest_replies_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.models.reply_cache._MOST_REPLIES", 2)
    for text in ("a", "b", "c"):
        ask(ScriptedModel(says(text)), tmp_path / "r", text)
    assert ask(ScriptedModel(), tmp_path / "r", "c")[0] == TextWritten("c")
    assert ask(ScriptedModel(says("anew")), tmp_path / "r", "a")[0] == TextWritten("anew")


def test_an_analysis_keeps_replies_where_the_setting_says_and_never_the_key(tmp_path: Path) -> None:
    path = tmp_path / "replies.sqlite"
    with ChatServer(server_says("Hello.")) as server:
        for _ in range(2):
            choice = ModelChoice(model="m", api_key="sk-CANARY-123", base_url=server.url)
            analysis = Analysis(sandbox=FakeSandbox(), choice=choice, settings=Settings(model_cache=path))
            analysis.ask("Hi").wait(30)
            analysis.close()
    assert len(server.requests) == 1
    assert b"CANARY" not in path.read_bytes()
