"""The byte stream over Docker's attach socket, with a socket pair in the engine's place."""

import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from sandbox.docker_stream import DockerStream


def frame(kind: int, data: bytes) -> bytes:
    return struct.pack(">BxxxL", kind, len(data)) + data


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, DockerStream]]:
    engine, ours = socket.socketpair()
    with engine:
        stream = DockerStream(ours)
        yield engine, stream
        stream.close()


def test_output_comes_without_dockers_headers_however_it_is_cut(ends: tuple[socket.socket, DockerStream]) -> None:
    engine, stream = ends
    sent = frame(1, b"abc") + frame(1, b"") + frame(1, b"defgh")
    for position in range(len(sent)):
        engine.sendall(sent[position : position + 1])
    engine.shutdown(socket.SHUT_WR)
    received = []
    while piece := stream.read(2):
        received.append(piece)
    assert b"".join(received) == b"abcdefgh"
    assert max(map(len, received)) == 2
    assert stream.has_ended


def test_what_the_main_process_complains_about_is_kept_apart(ends: tuple[socket.socket, DockerStream]) -> None:
    engine, stream = ends
    engine.sendall(frame(2, b"Traceback\n") + frame(1, b"out") + frame(2, "NameError: é\n".encode()))
    engine.shutdown(socket.SHUT_WR)
    assert stream.read(100) == b"out"
    assert stream.read(100) == b""
    assert stream.errors == "Traceback\nNameError: é\n"


def test_output_may_be_awaited_for_ever_whatever_time_limit_the_engines_calls_have() -> None:
    engine, ours = socket.socketpair()
    ours.settimeout(0.01)
    with engine:
        stream = DockerStream(ours)
        assert ours.gettimeout() is None
        stream.close()


def test_input_goes_out_as_it_is(ends: tuple[socket.socket, DockerStream]) -> None:
    engine, stream = ends
    stream.write(b"order")
    assert engine.recv(100) == b"order"


def test_closing_ends_a_thread_that_reads(ends: tuple[socket.socket, DockerStream]) -> None:
    _, stream = ends
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(stream.read(1)))
    reader.start()
    stream.close()
    reader.join(10)
    stream.close()
    assert read == [b""]


def test_writing_to_a_container_that_is_gone_is_an_os_error(ends: tuple[socket.socket, DockerStream]) -> None:
    engine, stream = ends
    engine.close()
    with pytest.raises(OSError, match="the container is gone"):
        stream.write(bytes(1 << 20))
