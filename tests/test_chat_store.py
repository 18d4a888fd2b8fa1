"""Kept chats: private, handed only to the browser that began them, whole after a crash, gone after their days."""

import errno
import logging
import os
import shutil
import stat
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import Mock

import pytest

from agents.chat_messages import ChatMessage
from agents.events import CodeWritten, Finished, TextWritten, Waiting
from analysis.chat_lines import VERSION, ChatBegun, DictionarySet, MessagesChanged, line_of, value_of
from analysis.chat_state import ChatState
from analysis.chat_store import ChatStore, KeptChat
from analysis.record import Entry, QuestionAsked
from wording import Sentence, ToldError

DAY = 86_400.0
ASKED: list[Entry] = [QuestionAsked("Why?"), TextWritten("Because."), Finished("Because.")]


@pytest.fixture
def store(tmp_path: Path) -> ChatStore:
    return ChatStore(tmp_path / "chats", days=7)


def begun(store: ChatStore, name: str = "name") -> KeptChat:
    chat = store.begin(name, "browser")
    assert chat
    return chat


def kept(store: ChatStore) -> Path:
    """A chat with one answer, as it lies on disk when nobody has it open."""
    chat = begun(store)
    for entry in ASKED:
        chat.write(entry)
    chat.close()
    return chat.folder


def opened(store: ChatStore, name: str = "name", browser: str = "browser") -> ChatState | None:
    chat = store.open(name, browser)
    if chat is None:
        return None
    chat.close()
    return chat.state


def full(descriptor: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_what_was_written_is_on_disk_at_once(store: ChatStore, tmp_path: Path) -> None:
    chat = begun(store)
    for entry in ASKED:
        chat.write(entry)
    shutil.copytree(tmp_path / "chats", tmp_path / "as it lay there")
    state = opened(ChatStore(tmp_path / "as it lay there", days=7))
    chat.close()
    assert state
    assert state.entries == ASKED


def test_pieces_of_a_text_are_one_line_a_sentence_and_drafts_of_code_are_none(store: ChatStore) -> None:
    chat = begun(store)
    drafts: list[Entry] = [CodeWritten(0, "python", "x = 1\n"), Waiting(Sentence("Busy."), 1)]
    for entry in (ASKED[0], *map(TextWritten, ("It is ", "so. ", "Be", "cause", " of")), *drafts, TextWritten(" a")):
        chat.write(entry)
    lines = [value_of(line) for line in (chat.folder / "chat.jsonl").read_bytes().splitlines()]
    chat.write(ASKED[-1])
    chat.close()
    assert lines[1:] == [ASKED[0], TextWritten("It is so. ")]
    state = opened(store)
    assert state
    assert state.entries == [ASKED[0], TextWritten("It is so. Because of a"), ASKED[-1]]


def test_what_was_said_to_the_model_and_replaced_is_gone_once_the_chat_was_opened_again(store: ChatStore) -> None:
    first, second, third = (ChatMessage(role="user", text=text, asked=text) for text in ("first", "second", "third"))
    chat = begun(store)
    chat.write(ASKED[0])
    for start, messages in ((0, (first, second)), (1, (third,)), (0, (second, first)), (1, (third,)), (2, (first,))):
        chat.write(MessagesChanged(start, messages))
    chat.close()
    for _ in range(2):
        state = opened(store)
        assert state
        assert state.messages == [second, third, first]
    lines = (chat.folder / "chat.jsonl").read_bytes()
    assert [lines.count(word) for word in (b'"text":"first"', b'"text":"second"', b'"text":"third"')] == [1, 1, 1]
    assert stat.S_IMODE((chat.folder / "chat.jsonl").stat().st_mode) == 0o600


def test_a_chat_that_cannot_be_written_anew_is_opened_as_it_is(
    store: ChatStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    chat = begun(store)
    chat.write(TextWritten("One. "))
    chat.write(TextWritten("Two."))
    chat.close()
    before = (chat.folder / "chat.jsonl").read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        state = opened(store)
    assert state
    assert state.entries == [TextWritten("One. Two.")]
    assert (chat.folder / "chat.jsonl").read_bytes() == before
    assert sorted(path.name for path in chat.folder.iterdir()) == ["chat.jsonl", "files", "lock"]
    assert "stays as long as it was" in caplog.text


def test_a_chat_that_was_opened_goes_on_in_the_same_place(store: ChatStore) -> None:
    kept(store)
    chat = store.open("name", "browser")
    assert chat
    chat.write(DictionarySet("a: things"))
    chat.close()
    chat.write(DictionarySet("too late"))
    state = opened(store)
    assert state
    assert (state.entries, state.dictionary) == (ASKED, "a: things")


@pytest.mark.parametrize(("name", "browser"), [("name", "another"), ("name", ""), ("other", "browser"), ("..", "x")])
def test_nobody_else_opens_it(store: ChatStore, name: str, browser: str) -> None:
    kept(store)
    assert opened(store, name, browser) is None


def test_no_other_user_can_read_it_and_its_address_does_not_stand_there(store: ChatStore, tmp_path: Path) -> None:
    kept(store)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "chats").rglob("*")}
    (folder,) = (tmp_path / "chats").iterdir()
    assert stat.S_IMODE((tmp_path / "chats").stat().st_mode) == 0o700
    assert (modes[folder.name], modes["files"], modes["chat.jsonl"]) == (0o700, 0o700, 0o600)
    assert "name" not in folder.name


@pytest.mark.parametrize("cut", range(1, 40, 6))
def test_a_line_that_the_end_of_the_process_tore_is_left_out_and_the_next_one_is_whole(
    store: ChatStore, cut: int
) -> None:
    path = kept(store) / "chat.jsonl"
    os.truncate(path, path.stat().st_size - cut)
    chat = store.open("name", "browser")
    assert chat
    assert chat.state.entries == ASKED[: len(chat.state.entries)]
    assert len(chat.state.entries) < len(ASKED)
    chat.write(ASKED[-1])
    chat.close()
    state = opened(store)
    assert state
    assert state.entries[-1] == ASKED[-1]


@pytest.mark.parametrize("line", [b"\x00\x00\n", b'TextWritten ["a"]\n', b"Unheard [{}]\n"])
def test_a_chat_that_cannot_be_read_is_told_in_a_sentence(store: ChatStore, line: bytes) -> None:
    path = kept(store) / "chat.jsonl"
    path.write_bytes(path.read_bytes() + line + line_of(ASKED[0]))
    for _ in range(2):
        with pytest.raises(ToldError, match="cannot be read: another version of the app kept it"):
            store.open("name", "browser")


def test_so_is_one_of_another_version(store: ChatStore) -> None:
    (kept(store) / "chat.jsonl").write_bytes(line_of(ChatBegun(VERSION + 1, "browser")) + line_of(ASKED[0]))
    with pytest.raises(ToldError, match="cannot be read"):
        store.open("name", "browser")


def test_one_that_is_open_is_not_opened_twice_nor_forgotten(store: ChatStore, tmp_path: Path) -> None:
    chat = begun(store)
    chat.write(ASKED[0])
    with pytest.raises(ToldError, match="is open in another running app"):
        store.open("name", "browser")
    ChatStore(tmp_path / "chats", days=0).forget_old()
    chat.close()
    assert opened(store)


def test_after_its_days_it_is_forgotten_with_its_files(tmp_path: Path) -> None:
    now = [1e9]
    store = ChatStore(tmp_path / "chats", days=2, now=lambda: now[0])
    folder = kept(store)
    (folder / "files" / "1").write_bytes(b"a\n1\n")
    (tmp_path / "chats" / "of somebody else").mkdir()
    os.utime(folder / "chat.jsonl", (1e9, 1e9))
    now[0] += 2 * DAY
    store.forget_old()
    assert opened(store)
    os.utime(folder / "chat.jsonl", (1e9, 1e9))
    now[0] += 1
    store.forget_old()
    assert [path.name for path in (tmp_path / "chats").iterdir()] == ["of somebody else"]
    assert opened(store) is None


def test_where_all_are_too_large_together_those_unused_for_longest_go_first(store: ChatStore, tmp_path: Path) -> None:
    open_one = begun(store, "oldest, but open")
    open_one.write(ASKED[0])
    os.utime(open_one.folder / "chat.jsonl", (0, 0))
    for age, name in enumerate(("newest", "middle", "older"), 1):
        chat = begun(store, name)
        chat.write(ASKED[0])
        chat.close()
        (chat.folder / "files" / "1").write_bytes(bytes(100_000))
        os.utime(chat.folder / "chat.jsonl", (1e9 - age, 1e9 - age))
    ChatStore(tmp_path / "chats", days=7, now=lambda: 1e9, most_bytes=250_000).forget_old()
    assert [opened(store, name) is not None for name in ("newest", "middle", "older")] == [True, True, False]
    open_one.close()
    assert opened(store, "oldest, but open")


def test_one_that_cannot_be_removed_keeps_no_other_from_going(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = ChatStore(tmp_path / "chats", days=7)
    broken = kept(store)
    (broken / "lock").unlink()
    (broken / "lock").mkdir()
    another = begun(store, "another")
    another.write(DictionarySet("a: things"))
    another.close()
    with pytest.raises(ToldError, match="cannot be read"):
        store.open("name", "browser")
    ChatStore(tmp_path / "chats", days=0).forget_old()
    assert list((tmp_path / "chats").iterdir()) == [broken]
    assert "An old chat cannot be removed" in caplog.text


def test_with_no_days_none_is_kept_and_what_was_kept_goes(store: ChatStore, tmp_path: Path) -> None:
    kept(store)
    none = ChatStore(tmp_path / "chats", days=0)
    assert (none.begin("another", "browser"), opened(none)) == (None, None)
    none.forget_old()
    assert list((tmp_path / "chats").iterdir()) == []


def test_a_chat_in_which_nothing_happened_leaves_nothing_behind(store: ChatStore, tmp_path: Path) -> None:
    chat = begun(store)
    chat.close()
    chat.close()
    assert list((tmp_path / "chats").iterdir()) == []


def test_a_chat_that_cannot_be_begun_leaves_nothing_behind(
    store: ChatStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error in (OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()):
        with monkeypatch.context() as patched:
            patched.setattr(KeptChat, "begin", Mock(side_effect=error))
            with nullcontext() if isinstance(error, OSError) else pytest.raises(KeyboardInterrupt):
                assert store.begin("name", "browser") is None
        assert list((tmp_path / "chats").iterdir()) == []


def test_one_that_cannot_be_opened_can_be_opened_later(store: ChatStore, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(store)
    for error, told in ((MemoryError(), MemoryError), (PermissionError(), ToldError)):
        with monkeypatch.context() as patched:
            patched.setattr(KeptChat, "go_on", Mock(side_effect=error))
            with pytest.raises(told):
                store.open("name", "browser")
    assert opened(store)


def test_while_an_old_chat_is_removed_nobody_can_open_it(
    store: ChatStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(store)
    found: list[ChatState | None] = []
    remove = shutil.rmtree

    def opened_meanwhile(folder: Path) -> None:
        found.append(opened(store))
        remove(folder)

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", opened_meanwhile)
        ChatStore(tmp_path / "chats", days=0).forget_old()
    assert found == [None]
    assert list((tmp_path / "chats").iterdir()) == []


def test_what_a_removal_that_was_cut_off_left_is_removed(store: ChatStore, tmp_path: Path) -> None:
    folder = kept(store)
    folder.rename(folder.with_suffix(".gone"))
    store.forget_old()
    assert list((tmp_path / "chats").iterdir()) == []


def test_where_nothing_can_be_written_nothing_is_kept_and_the_log_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "chats").write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        assert ChatStore(tmp_path / "chats", days=7).begin("name", "browser") is None
    assert "Chats are not kept, since" in caplog.text


def test_a_line_that_cannot_be_written_ends_the_keeping_and_not_the_chat(
    store: ChatStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    chat = begun(store)
    monkeypatch.setattr(os, "fsync", full)
    for entry in (*ASKED, *ASKED):
        chat.write(entry)
    chat.close()
    assert "A chat is not kept any further" in caplog.text
    state = opened(store)
    assert state
    assert state.entries == ASKED
