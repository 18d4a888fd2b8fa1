"""A stop ends the wait for the model at once, and the server notices."""

import threading

from agents.events import TextWritten, Waiting
from agents.models.openai_model import OpenAILanguageModel, pause_unless_stopped
from agents.python_exec_agent import PythonExecAgent
from agents.stop_signal import StopSignal
from tests.chat_server import ChatServer, fails, says
from tests.fake_sandbox import FakeSandbox
from tests.openai_fixtures import PATIENCE, model_at, request
from tools.python_exec_tool import PythonExecTool


def test_a_stop_before_the_headers_ends_the_wait_and_the_connection() -> None:
    gate, stop = threading.Event(), StopSignal()
    with ChatServer(says("Never", gate=gate)) as server:
        model = model_at(server)

        def stop_once_asked() -> None:
            server.arrived.wait(10)
            stop.set()

        person = threading.Thread(target=stop_once_asked)
        person.start()
        assert list(model.stream(request(), stop)) == []
        assert server.hung_up.wait(10)
        person.join()


def test_a_stop_in_the_midst_of_the_text_ends_the_connection() -> None:
    stop = StopSignal()
    with ChatServer(says("One ", threading.Event(), "two")) as server:
        pieces = []
        for piece in model_at(server).stream(request(), stop):
            pieces.append(piece)
            stop.set()
        assert pieces == [TextWritten("One ")]
        assert server.hung_up.wait(10)


def test_leaving_the_stream_ends_the_connection() -> None:
    with ChatServer(says("One ", threading.Event(), "two")) as server:
        stream = model_at(server).stream(request(), StopSignal())
        assert next(stream) == TextWritten("One ")
        stream.close()
        assert server.hung_up.wait(10)


def test_after_a_stop_the_next_question_is_answered() -> None:
    with ChatServer(says("One ", threading.Event()), says("Two")) as server:
        agent = PythonExecAgent(model_at(server), [PythonExecTool(FakeSandbox())])
        stop = StopSignal()
        for _ in agent.stream("Go", stop):
            stop.set()
        assert agent.task("Again") == "Two"
    assert [message["content"] for message in server.requests[1]["messages"][1:]] == ["Go", "One ", "Again"]


def test_calls_of_two_threads_do_not_disturb_each_other() -> None:
    stop = StopSignal()
    with ChatServer(says("A ", threading.Event()), says("B")) as server:
        model = model_at(server)
        first = model.stream(request(), stop)
        assert next(first) == TextWritten("A ")
        second = list(model.stream(request(), StopSignal()))
        stop.set()
        assert list(first) == []
    assert second[0] == TextWritten("B")


def test_a_stop_ends_the_pause_before_another_try() -> None:
    stop = StopSignal()
    with ChatServer(fails(429, retry_after="30")) as server:
        model = OpenAILanguageModel("sk-test", server.url, patience=PATIENCE)
        pieces = []
        for piece in model.stream(request(), stop):
            pieces.append(piece)
            stop.set()
    assert [piece.seconds for piece in pieces if isinstance(piece, Waiting)] == [30.0]
    assert len(pieces) == 1


def test_a_stop_that_was_set_before_asks_nothing() -> None:
    stop = StopSignal()
    stop.set()
    with ChatServer() as server:
        assert list(model_at(server).stream(request(), stop)) == []
    pause_unless_stopped(3_600, stop)
