"""Settings come from the environment over .env, a wrong value is told in one sentence, and a key never shows."""

import os
from dataclasses import fields
from decimal import Decimal
from pathlib import Path

import pytest

import settings
from sandbox.limits import Limits
from settings import Settings, load_settings, settings_table
from wording import ToldError


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / ".env"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_any_setting_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings({}, tmp_path / "absent") == Settings()
    assert Settings().model == "o3-mini"
    assert Settings().file_model == "gpt-4o"
    assert Settings().limits == Limits()


def test_the_environment_wins_over_the_file_and_an_empty_variable_means_the_default(tmp_path: Path) -> None:
    file = written(tmp_path, "MODEL=from-file\nFILE_MODEL=file-model\nMAX_ROUNDS=3\n")
    read = load_settings({"MODEL": "from-environment", "MAX_ROUNDS": ""}, file)
    assert (read.model, read.file_model, read.max_rounds) == ("from-environment", "file-model", 20)


def test_a_key_pasted_with_spaces_and_a_line_end_is_trimmed_and_never_shown(tmp_path: Path) -> None:
    read = load_settings({"OPENAI_API_KEY": " sk-CANARY \n"}, tmp_path / "absent")
    assert read.openai_api_key == "sk-CANARY"
    assert "CANARY" not in repr(read)


def test_the_file_may_begin_with_a_byte_order_mark_and_is_not_put_into_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    read = load_settings(None, written(tmp_path, "\ufeffOPENAI_API_KEY='sk-1'\nMODEL=${HOME}\n"))
    assert (read.openai_api_key, read.model) == ("sk-1", "${HOME}")
    assert load_settings(None, tmp_path / "absent").openai_api_key == ""


def test_every_kind_of_value_is_read(tmp_path: Path) -> None:
    values = {
        "REASONING_EFFORT": "Low",
        "IDLE_MINUTES": "0.5",
        "SAMPLE_ROWS": "0",
        "ALLOWED_FOLDERS": f"/srv/data{os.pathsep} ~/tables",
        "LANGUAGE": "zh_CN:zh:en",
        "SANDBOX_MEMORY_MB": "1024",
        "SANDBOX_RUNTIME": "runsc",
        "SPEND_LIMIT_USD": "0.10",
        "MODEL_PRICES": "~/prices.toml",
    }
    read = load_settings(values, tmp_path / "absent")
    assert (read.reasoning_effort, read.idle_minutes, read.sample_rows, read.language) == ("low", 0.5, 0, "zh")
    assert read.allowed_folders == (Path("/srv/data"), Path.home() / "tables")
    assert (read.limits.memory_mb, read.sandbox_runtime) == (1024, "runsc")
    assert (read.spend_limit_usd, read.model_prices) == (Decimal("0.1"), Path.home() / "prices.toml")
    assert load_settings({"REASONING_EFFORT": "default"}, tmp_path / "absent").reasoning_effort is None


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("MAX_ROUNDS", "2.5", "MAX_ROUNDS must be a whole number of at least 1."),
        ("MAX_UPLOAD_MB", "0", "MAX_UPLOAD_MB must be a whole number of at least 1."),
        ("IDLE_MINUTES", "nan", "IDLE_MINUTES must be a number of at least 0.1."),
        ("IDLE_MINUTES", "soon", "IDLE_MINUTES must be a number of at least 0.1."),
        ("REASONING_EFFORT", "max", "REASONING_EFFORT must be one of: low, medium, high, default."),
        ("MODEL_API", "both", "MODEL_API must be one of: auto, chat, responses."),
        ("OPENAI_BASE_URL", "localhost:11434", "OPENAI_BASE_URL must begin with http:// or https://."),
    ],
)
def test_a_wrong_value_is_one_sentence_that_names_the_setting(
    tmp_path: Path, name: str, value: str, sentence: str
) -> None:
    with pytest.raises(ToldError) as told:
        load_settings({name: value}, tmp_path / "absent")
    assert str(told.value) == f"{sentence} Correct it in .env or the environment."


def test_a_wrong_limit_of_the_sandbox_names_its_setting(tmp_path: Path) -> None:
    with pytest.raises(ToldError, match="SANDBOX_SECONDS"):
        load_settings({"SANDBOX_SECONDS": "long"}, tmp_path / "absent")


def test_a_file_in_another_encoding_is_told_in_words(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes("MODEL=é".encode("utf-16"))
    with pytest.raises(ToldError, match="Save it as a UTF-8 text file"):
        load_settings({}, file)


def test_every_field_is_in_the_table_with_its_default_and_a_line_of_help() -> None:
    names = [each.name.upper() for each in fields(Settings) if each.name != "limits"]
    names += [f"SANDBOX_{each.name.upper()}" for each in fields(Limits)]
    table = {each.name: each for each in settings_table()}
    assert list(table) == names
    assert [each.name for each in table.values() if not each.help.endswith(".") or "\n" in each.help] == []
    assert table["MODEL"].default == "o3-mini"
    assert table["SANDBOX_MEMORY_MB"].default == "2048"
    assert table["LANGUAGE"].default == ""


def test_the_example_file_offers_the_settings_with_their_defaults() -> None:
    lines = (settings.ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    offered = dict(line.removeprefix("# ").split("=") for line in lines if "=" in line)
    defaults = {each.name: each.default for each in settings_table()} | {"ALLOWED_FOLDERS": ".:data"}
    assert offered == {name: defaults[name] for name in offered}
