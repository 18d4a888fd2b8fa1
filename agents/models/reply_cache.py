"""Answers a request that was answered before from a file on disk; whole replies only, and never a key."""

import hashlib
import json
import logging
import sqlite3
from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.chat_messages import Reasoning
from agents.events import TextWritten
from agents.models.language_model import LanguageModelInterface, ModelReply, ModelRequest, Piece
from agents.stop_signal import StopSignal
from tools.tool_interface import ToolCall

_LOGGER = logging.getLogger(__name__)
_MOST_REPLIES = 2_000
_TABLE = "CREATE TABLE IF NOT EXISTS replies (request TEXT PRIMARY KEY, reply TEXT NOT NULL)"
_TRIM = "DELETE FROM replies WHERE rowid <= (SELECT max(rowid) FROM replies) - ?"


class CachedLanguageModel(LanguageModelInterface):
    """``server`` tells apart what different servers answer; a reply from the file costs no tokens.

    A file that cannot be used is told in the log, and the model is asked.
    """

    def __init__(self, language_model: LanguageModelInterface, server: str, path: Path) -> None:
        self._language_model = language_model
        self._server = server
        self._path = path

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[Piece, None, None]:
        name = _name(self._server, request)
        known = self._find(name)
        if known and not stop.is_set:
            if known.text:
                yield TextWritten(known.text)
            yield known
            return
        with closing(self._language_model.stream(request, stop)) as pieces:
            for piece in pieces:
                if isinstance(piece, ModelReply) and not piece.is_cut:
                    self._keep(name, piece)
                yield piece

    def _find(self, name: str) -> ModelReply | None:
        rows = self._run("SELECT reply FROM replies WHERE request = ?", name)
        try:
            return _reply(json.loads(rows[0][0])) if rows else None
        except (ValueError, KeyError, TypeError):
            return None  # of another version

    def _keep(self, name: str, reply: ModelReply) -> None:
        thoughts = {"reasoning": asdict(reply.reasoning)} if reply.reasoning else {}
        values = {"text": reply.text, "calls": [asdict(call) for call in reply.calls]} | thoughts
        self._run("INSERT OR REPLACE INTO replies VALUES (?, ?)", name, json.dumps(values))
        self._run(_TRIM, _MOST_REPLIES)

    def _run(self, statement: str, *values: object) -> list[Any]:
        """The rows; on a connection of its own, as any thread may come."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(mode=0o600)
            with closing(sqlite3.connect(self._path, timeout=2)) as database, database:
                database.execute(_TABLE)
                return database.execute(statement, values).fetchall()
        except (OSError, sqlite3.Error) as error:
            _LOGGER.warning("The cache of replies %s cannot be used: %s", self._path, error)
            return []


def _name(server: str, request: ModelRequest) -> str:
    wanted = [server, asdict(request)]
    return hashlib.sha256(json.dumps(wanted, sort_keys=True, default=list).encode()).hexdigest()


def _reply(values: dict[str, Any]) -> ModelReply:
    calls = tuple(ToolCall(**call) for call in values["calls"])
    thoughts = values.get("reasoning")
    reasoning = Reasoning(**(thoughts | {"items": tuple(thoughts["items"])})) if thoughts else None
    return ModelReply(text=values["text"], calls=calls, reasoning=reasoning)
