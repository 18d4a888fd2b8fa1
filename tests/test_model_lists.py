"""Lists of models: asked once for all chats, again after a while and soon after a failure, and without any key kept."""

import threading

from analysis.model_lists import ModelLists

ADDRESS = ("sk-CANARY", "http://server/v1")


class Server:
    """Tells what ``models`` is; the time is ``now``."""

    def __init__(self) -> None:
        self.models: tuple[str, ...] = ("m",)
        self.asked = 0
        self.now = 0.0
        self.lists = ModelLists(lambda: self.now)

    def ask(self) -> tuple[str, ...]:
        self.asked += 1
        return self.models

    def told(self, address: tuple[str, str] = ADDRESS) -> tuple[str, ...]:
        """After what is asked in the background was answered."""
        self.lists.of(address, self.ask)
        for thread in threading.enumerate():
            if thread.name == "model-list":
                thread.join(10)
        return self.lists.of(address, self.ask)


def test_one_address_is_asked_once_and_again_when_its_list_is_old() -> None:
    server = Server()
    assert [server.told(), server.told()] == [("m",), ("m",)]
    assert server.asked == 1
    server.models, server.now = ("n",), 601
    assert server.told() == ("n",)
    assert server.asked == 2


def test_a_failure_is_not_kept_and_takes_no_list_away() -> None:
    server = Server()
    server.models = ()
    assert [server.told(), server.told()] == [(), ()]
    assert server.asked == 1
    server.models, server.now = ("m",), 16
    assert server.told() == ("m",)
    server.models, server.now = (), 1000
    assert server.told() == ("m",)


def test_another_key_has_a_list_of_its_own_and_no_key_is_kept() -> None:
    server = Server()
    server.told()
    server.models = ("n",)
    assert (server.told(("sk-OTHER", ADDRESS[1])), server.told()) == (("n",), ("m",))
    assert "sk-" not in repr(vars(server.lists))
