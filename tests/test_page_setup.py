"""Around a chat: model, language, dictionary, sample; and what the page says while the sandbox is not there."""

import threading
from collections.abc import Iterator
from datetime import date

import pytest

import sandbox.image
from agents.models.catalogue import end_of_model
from agents.models.local_servers import LocalServer
from agents.models.server_client import OPENAI_URL
from analysis.sample import SAMPLE_DICTIONARY, STARTER_QUESTIONS
from sandbox.image import ImageState
from sandbox.sandbox import SandboxError
from tests.page_fixtures import DATA, Box, OpenPage, opening_pages
from tests.scripted_model import ScriptedModel, says

open_page = pytest.fixture(opening_pages)


def test_model_and_effort_hold_from_the_next_question_on(open_page: OpenPage) -> None:
    page = open_page(says("Yes."))
    page.app.selectbox(key="model").set_value("gpt-6.1-terra")
    page.look()
    assert page.app.button_group(key="effort").value == "medium"
    page.app.button_group(key="effort").set_value("xhigh")
    page.look().ask("Are you there?")
    assert (page.model.requests[0].model, page.model.requests[0].effort) == ("gpt-6.1-terra", "xhigh")


def test_an_effort_that_another_model_lacks_goes_back_to_the_usual_one(open_page: OpenPage) -> None:
    page = open_page()
    page.app.selectbox(key="model").set_value("gpt-6.1-terra")
    page.look().app.button_group(key="effort").set_value("max")
    page.look().app.selectbox(key="model").set_value("o3-mini")
    page.look()
    assert page.app.button_group(key="effort").options == ["Low", "Medium", "High"]
    assert (page.analysis.choice.model, page.analysis.choice.effort) == ("o3-mini", "medium")


def test_models_are_offered_by_what_they_are_for(open_page: OpenPage) -> None:
    page = open_page()
    options = page.app.selectbox(key="model").options
    assert options[0] == "o3-mini"
    assert {"gpt-6-luna · fast", "gpt-6.1-terra · balanced", "gpt-6.1-sol · strong"} <= set(options)
    assert options[-1] == "Offline analyst"
    told = [text.replace("\\", "") for text in page.texts]
    assert any(text.endswith(str(end_of_model("o3-mini", OPENAI_URL, date.today()))) for text in told)
    page.app.button_group(key="lang").set_value("zh")
    assert page.look().app.selectbox(key="model").options[-1] == "离线分析程序"


def test_what_the_server_lists_is_looked_up_in_the_background_and_offered(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed, gate = ("gpt-6-luna", "gpt-5.4", "whisper-1", "x\u202e"), threading.Event()
    monkeypatch.setattr(ScriptedModel, "models", lambda self: listed if gate.wait(10) else ())
    page = open_page(says("Yes."))
    assert "gpt-5.4 · other" not in page.app.selectbox(key="model").options
    gate.set()
    for thread in threading.enumerate():
        if thread.name == "model-list":
            thread.join(10)
    options = page.look().app.selectbox(key="model").options
    assert options == ["o3-mini", "gpt-6-luna · fast", "gpt-5.4 · other", "x\\u202e · other", "Offline analyst"]
    assert page.app.selectbox(key="model").value == "o3-mini"
    page.app.selectbox(key="model").set_value("gpt-5.4")
    page.look().ask("Are you there?")
    assert page.model.requests[0].model == "gpt-5.4"
    assert len(page.addresses) == 1


def test_without_a_key_the_offline_analyst_answers_until_a_key_is_entered(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    page = open_page(says("I am o3-mini."))
    assert page.app.selectbox(key="model").value == "offline"
    assert list(page.app.info) == []
    assert any(text.startswith("The offline analyst answers") for text in page.texts)
    page.ask("What can you do?")
    assert any("not a language model" in text for text in page.texts)
    page.app.text_input(key="api_key").set_value("sk-canary")
    page.look().ask("Who are you?")
    assert page.app.selectbox(key="model").value == "o3-mini"
    assert "I am o3-mini." in page.texts


def test_the_offline_analyst_can_be_chosen_though_there_is_a_key(open_page: OpenPage) -> None:
    page = open_page(says("Yes."))
    page.app.selectbox(key="model").set_value("offline")
    page.look().ask("Hello")
    assert page.model.requests == []
    assert any("not a language model" in text for text in page.texts)
    page.app.selectbox(key="model").set_value("o3-mini")
    assert "Yes." in page.look().ask("Hello").texts


def test_a_server_on_this_machine_is_looked_for_once_and_gets_no_key(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []

    def found() -> tuple[LocalServer, ...]:
        looks.append(1)
        return (LocalServer("Ollama", "http://127.0.0.1:11434/v1", ("llama3", "qwen3")),)

    monkeypatch.setattr("ui.local_models.local_servers", found)
    page = open_page(says("Yes.")).look().look()
    assert looks == [1]
    page.app.selectbox(key="model").set_value("qwen3\nhttp://127.0.0.1:11434/v1")
    page.look().ask("Hello")
    assert page.model.requests[0].model == "qwen3"
    assert page.addresses[-1] == ("", "http://127.0.0.1:11434/v1")
    page.app.selectbox(key="model").set_value("o3-mini")
    assert page.look().analysis.choice.api_key == "sk-canary"
    assert page.analysis.choice.local_url == ""


def test_without_a_key_a_server_on_this_machine_comes_before_the_offline_analyst(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    server = LocalServer("Ollama", "http://127.0.0.1:11434/v1", ("llama3", "qwen3"))
    monkeypatch.setattr("ui.local_models.local_servers", lambda: (server,))
    page = open_page()
    assert page.app.selectbox(key="model").options[0] == "o3-mini"
    assert (page.analysis.choice.model, page.analysis.choice.local_url) == ("llama3", server.base_url)
    assert not any("offline analyst answers" in text for text in page.texts)


def test_the_dictionary_is_part_of_what_the_model_reads(open_page: OpenPage) -> None:
    page = open_page(says("Yes.")).upload(DATA)
    page.app.text_area(key="dictionary").set_value("a = apples per day")
    page.look().ask("What is a?")
    assert "a = apples per day" in page.model.requests[0].messages[0].text


def test_the_sample_comes_with_its_dictionary_and_questions(open_page: OpenPage) -> None:
    page = open_page(says("Density.")).press("Try the sample data")
    assert page.app.text_area(key="dictionary").value == SAMPLE_DICTIONARY["en"].read_text(encoding="utf-8").strip()
    assert not page.has("Try the sample data")
    page.press(STARTER_QUESTIONS["en"][0]).wait()
    assert [text.value for text in page.app.text] == [STARTER_QUESTIONS["en"][0]]
    assert "Density." in page.texts


def test_a_starter_question_loads_the_sample_by_itself(open_page: OpenPage) -> None:
    page = open_page(says("Rain.")).press(STARTER_QUESTIONS["en"][1]).wait()
    assert len(page.analysis.files) == 1
    assert "Rain." in page.texts


def test_the_page_speaks_chinese(open_page: OpenPage) -> None:
    page = open_page(says("好。"))
    page.app.button_group(key="lang").set_value("zh")
    page.look().upload(DATA).ask("为什么？")
    assert page.labels == ["**data\\.csv** · 2 行，1 列"]
    assert page.app.chat_input[0].placeholder == "就您的数据提问"
    assert page.has("删除并重新开始")
    assert "每个文件最大 1,100 MB，超过的文件会标为红色且不会添加。" in page.texts


def test_a_language_can_be_set_for_all(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "zh")
    assert open_page().has("试用示例数据")


def test_an_empty_file_is_refused_with_a_sentence_and_the_others_come_in(open_page: OpenPage) -> None:
    page = open_page().upload(("empty.csv", b"", "text/csv"), DATA)
    assert [error.partition(".")[0] for error in page.errors] == ["empty"]
    assert [file.name for file in page.analysis.files] == ["data.csv"]
    assert page.upload(("b.csv", b"b\n1\n", "text/csv")).errors == []


def test_files_that_the_sandbox_cannot_take_wait_for_one_click(open_page: OpenPage) -> None:
    box = Box()
    box.problems.append(SandboxError("Docker does not answer. Start Docker."))
    page = open_page(box=box).upload(DATA)
    assert page.errors == ["Docker does not answer. Start Docker."]
    assert box.puts == []
    page.look()
    assert box.puts == []
    page.press("Add the files again")
    assert box.puts == ["data.csv"]
    assert page.errors == []


def test_an_engine_that_is_off_is_told_and_the_page_recovers(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    problems = [SandboxError("Docker does not answer. Start Docker, then try again.")]

    def image_state(base_image: str = "") -> ImageState:
        if problems:
            raise problems.pop()
        return ImageState.CURRENT

    monkeypatch.setattr(sandbox.image, "image_state", image_state)
    page = open_page()
    assert page.errors == ["Docker does not answer. Start Docker, then try again."]
    assert page.app.chat_input[0].disabled
    page.upload(DATA)
    assert page.box.puts == []
    page.press("Try again").look()
    assert page.errors == []
    assert not page.app.chat_input[0].disabled
    assert page.box.puts == ["data.csv"]


def test_a_missing_image_is_built_before_anyone_waits_for_it(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, told = threading.Event(), threading.Event()

    def build_image(base_image: str = "") -> Iterator[str]:
        yield "Step 1 of 2"
        told.set()
        go_on.wait()
        yield "Step 2 of 2"

    monkeypatch.setattr(sandbox.image, "image_state", lambda base_image="": ImageState.MISSING)
    monkeypatch.setattr(sandbox.image, "build_image", build_image)
    page = open_page()
    assert told.wait(10)
    page.look()
    assert page.labels == ["Preparing the sandbox. This is needed once and takes some minutes."]
    assert page.codes[0] == "Step 1 of 2"
    assert page.app.chat_input[0].placeholder == "You can ask once the sandbox is ready"
    go_on.set()
    next(thread for thread in threading.enumerate() if thread.name == "image-build").join(10)
    assert page.look().labels == []
    assert not page.app.chat_input[0].disabled


def test_a_failed_build_shows_its_last_lines(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    def build_image(base_image: str = "") -> Iterator[str]:
        yield "Step 1 of 2"
        raise SandboxError("The image could not be built. Try again.\n{lines}", lines="pip: no network")

    monkeypatch.setattr(sandbox.image, "image_state", lambda base_image="": ImageState.STALE)
    monkeypatch.setattr(sandbox.image, "build_image", build_image)
    page = open_page()
    for thread in threading.enumerate():
        if thread.name == "image-build":
            thread.join(10)
    page.look()
    assert page.errors == ["The image could not be built. Try again."]
    assert page.codes[0] == "pip: no network"
    assert page.has("Try again")


def test_a_wrong_setting_is_told_instead_of_the_page(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REASONING_EFFORT", "huge")
    page = open_page()
    assert page.errors[0].startswith("REASONING_EFFORT must be one of: low, medium, high")
    assert len(page.app.chat_input) == 0
