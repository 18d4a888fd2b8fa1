"""The sandbox image: when it is current, how it is built, and what it holds."""

import io
import json
import shutil
import subprocess
import tarfile
import threading
from pathlib import Path

import pytest

from sandbox import base_image, build_context, image
from sandbox.docker_engine import DockerEngine
from sandbox.image import ImageState, build_image, find_image, image_state
from sandbox.locks import FileLock, state_folder
from sandbox.old_images import CONTENT_LABEL
from sandbox.packages import installed_packages
from sandbox.sandbox import SandboxError
from tests.docker_fixtures import ScriptedEngine, sandbox_image, scripted_engine

__all__ = ["sandbox_image", "scripted_engine"]


@pytest.fixture
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def have_image(engine: ScriptedEngine, content: str = "") -> None:
    content = content or build_context.content_hash(base_image.DEFAULT_BASE)
    labels = {CONTENT_LABEL: content, image.BASE_LABEL: "base:1"}
    tag = build_context.content_hash(base_image.DEFAULT_BASE)[:16]
    found = {"Id": "sha256:1", "Size": 10**9, "Config": {"Labels": labels}}
    engine.answers["GET", f"/{image.REPOSITORY}:{tag}/json"] = 200, found


def test_the_libraries_are_those_of_the_list_without_what_they_need() -> None:
    packages = dict(installed_packages())
    assert packages["pandas"] == "3.1.1"
    assert {"numpy", "matplotlib", "polars", "duckdb", "ipython", "psutil"} <= set(packages)
    assert "pyparsing" not in packages


def test_an_image_with_the_content_of_this_version_is_current(scripted_engine: ScriptedEngine) -> None:
    have_image(scripted_engine)
    assert image_state() is ImageState.CURRENT
    with DockerEngine() as engine:
        assert find_image(engine) == image.Image("sha256:1", "base:1", 10**9)


def test_an_image_of_another_version_is_stale(scripted_engine: ScriptedEngine) -> None:
    scripted_engine.answers["GET", "/images/json"] = 200, [{"Id": "sha256:0", "Labels": {CONTENT_LABEL: "old"}}]
    assert image_state() is ImageState.STALE
    with DockerEngine() as engine, pytest.raises(SandboxError, match="The sandbox image is outdated"):
        find_image(engine)


def test_an_image_whose_label_says_otherwise_is_stale(scripted_engine: ScriptedEngine) -> None:
    have_image(scripted_engine, "forged")
    assert image_state() is ImageState.STALE


def test_a_missing_image_names_the_command(scripted_engine: ScriptedEngine) -> None:
    scripted_engine.answers["GET", "/images/json"] = 200, []
    assert image_state() is ImageState.MISSING
    with DockerEngine() as engine, pytest.raises(SandboxError, match="The sandbox image is not built"):
        find_image(engine)


def test_each_file_of_the_image_and_its_base_count_as_content(monkeypatch: pytest.MonkeyPatch) -> None:
    files = build_context.image_files()
    assert {"Dockerfile", "requirements.txt", "inside/supervisor.py", "inside/worker.py"} <= set(files)
    before = build_context.content_hash("base:1")
    assert build_context.content_hash("base:2") != before
    for name, content in files.items():
        monkeypatch.setattr(
            build_context, "image_files", lambda name=name, content=content: files | {name: content + b"#"}
        )
        assert build_context.content_hash("base:1") != before


def site_files() -> dict[str, str]:
    with tarfile.open(fileobj=io.BytesIO(build_context.build_context())) as tar:
        members = {each.name: tar.extractfile(each) for each in tar}
        return {name: file.read().decode() for name, file in members.items() if file and name.startswith("site/")}


def test_the_package_index_and_certificates_of_the_host_serve_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "corporate.pem").write_text("CERTIFICATE")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", "https://index.example/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "file:///srv/wheels https://more.example/simple")
    monkeypatch.setenv("PIP_TRUSTED_HOST", "index.example")
    monkeypatch.setenv("PIP_CERT", str(tmp_path / "corporate.pem"))
    files = site_files()
    lines = files["site/pip.conf"].splitlines()
    assert "index-url = https://index.example/simple" in lines
    assert "extra-index-url = https://more.example/simple" in lines
    assert "trusted-host = index.example" in lines
    assert "cert = /site/ca.pem" in lines
    assert files["site/ca.pem"] == "CERTIFICATE"
    assert 'Acquire::https::CAInfo "/site/ca.pem";' in files["site/apt.conf"]


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
def test_certificates_named_for_other_programs_serve_too(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other in ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    (tmp_path / "ca.pem").write_text("CERTIFICATE")
    monkeypatch.setenv(name, str(tmp_path / "ca.pem"))
    assert site_files()["site/ca.pem"] == "CERTIFICATE"


def test_proxies_go_to_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    assert build_context.proxy_arguments()["HTTPS_PROXY"] == "http://proxy.example:3128"


@pytest.mark.usefixtures("own_state")
def test_a_failed_build_is_told_with_its_last_lines(scripted_engine: ScriptedEngine) -> None:
    scripted_engine.answers["GET", "/images/json"] = 200, []
    scripted_engine.answers["GET", "/images/base:1/json"] = 200, {"Id": "sha256:2"}
    steps = [{"stream": f"Step {number}\n"} for number in range(30)]
    scripted_engine.answers["POST", "/build"] = 200, (*steps, {"error": "pip returned a non-zero code: 1"})
    with pytest.raises(SandboxError) as told:
        list(build_image("base:1"))
    assert str(told.value).startswith(
        "The sandbox image could not be built: pip returned a non-zero code: 1. Check that"
    )
    assert str(told.value).splitlines()[1:] == [f"Step {number}" for number in range(15, 30)]


@pytest.mark.usefixtures("own_state")
def test_progress_comes_line_by_line(scripted_engine: ScriptedEngine) -> None:
    scripted_engine.answers["GET", "/images/json"] = 200, []
    downloads = [{"status": "Downloading", "id": "a1", "progress": f"{number}%"} for number in range(50)]
    pulled = ({"status": "Pulling from library", "id": "1"}, *downloads, {"status": "Pull complete", "id": "a1"})
    scripted_engine.answers["POST", "/images/create"] = 200, pulled
    built = ({"stream": "Step 1\n \x1b[31m---> red\x1b[0m\rdone\n"}, {"stream": "\n"})
    scripted_engine.answers["POST", "/build"] = 200, built
    lines = list(build_image("base:1"))
    assert lines[:4] == ["Pulling base:1", "1 Pulling from library", "a1 Downloading", "a1 Pull complete"]
    assert lines[4:7] == ["Step 1", "---> red", "done"]
    assert lines[7].startswith("Built data-interpreter-sandbox:")


@pytest.mark.usefixtures("own_state")
def test_a_chosen_base_that_cannot_be_had_is_told(scripted_engine: ScriptedEngine) -> None:
    scripted_engine.answers["GET", "/images/json"] = 200, []
    scripted_engine.answers["POST", "/images/create"] = 500, {"message": "no such host."}
    with pytest.raises(SandboxError, match="base image mirror/base:1 cannot be pulled: no such host"):
        list(build_image("mirror/base:1"))


@pytest.mark.usefixtures("own_state")
def test_without_registry_and_mmdebstrap_the_remedy_is_named(
    scripted_engine: ScriptedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    scripted_engine.answers["GET", "/images/json"] = 200, []
    scripted_engine.answers["POST", "/images/create"] = 500, {"message": "no such host"}
    with pytest.raises(SandboxError, match="install mmdebstrap to make one here"):
        list(build_image())


@pytest.mark.usefixtures("own_state")
def test_without_registry_a_base_made_here_serves(
    scripted_engine: ScriptedEngine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "make_base.sh"
    script.write_text('echo "I: making"; echo tar > "$1"')
    monkeypatch.setattr(base_image, "SCRIPT", script)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/mmdebstrap")
    scripted_engine.answers["GET", "/images/json"] = 200, []
    scripted_engine.answers["POST", "/images/create"] = 500, {"message": "no such host"}
    lines = []
    with pytest.raises(SandboxError, match="no such host"):  # the import goes to the same address as the pull
        for line in build_image():
            lines.append(line)
    assert lines[1] == "python:3.13-slim-bookworm cannot be pulled: no such host"
    assert lines[2:] == ["Making data-interpreter-base:bookworm with mmdebstrap instead.", "I: making"]
    assert "fromSrc=-" in scripted_engine.requests[-1][1]


@pytest.mark.usefixtures("own_state")
def test_a_base_that_cannot_be_made_is_told(
    scripted_engine: ScriptedEngine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "make_base.sh"
    script.write_text('echo "E: mirror is down" >&2; exit 1')
    monkeypatch.setattr(base_image, "SCRIPT", script)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/mmdebstrap")
    scripted_engine.answers["GET", "/images/json"] = 200, []
    scripted_engine.answers["POST", "/images/create"] = 500, {"message": "no such host"}
    with pytest.raises(SandboxError, match="could not make a base image: E: mirror is down"):
        list(build_image())


@pytest.mark.usefixtures("own_state")
def test_one_builds_and_others_wait(scripted_engine: ScriptedEngine) -> None:
    have_image(scripted_engine)
    other = FileLock(state_folder() / "build.lock")
    assert other.acquire()
    lines = build_image()
    assert next(lines) == "Another process is building the image; waiting for it."
    threading.Timer(0.1, other.release).start()
    assert list(lines) == ["The sandbox image is up to date."]


def in_image(*command: str, code: str = "", user: str = "") -> str:
    """What a command prints in a bare container of the current image, on a read-only root."""
    with DockerEngine() as engine:
        name = find_image(engine).id
    flags = ["--rm", "-i", "--network=none", "--read-only", "--tmpfs=/tmp", "--env=MPLCONFIGDIR=/tmp/mpl"]
    flags += [f"--user={user}"] if user else []
    docker = ["docker", "run", *flags, f"--entrypoint={command[0]}", name, *command[1:]]
    done = subprocess.run(docker, input=code, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_the_image_has_no_set_id_files_and_no_root_user() -> None:
    assert in_image("find", "/", "-xdev", "-perm", "/6000", "-type", "f", user="0") == ""
    assert in_image("id") == "uid=10001(sandbox) gid=10001(sandbox) groups=10001(sandbox)\n"


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_the_folder_for_uploads_belongs_to_root() -> None:
    assert in_image("stat", "-L", "-c", "%a %U %G", "/data") == "755 root root\n"


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_the_host_leaves_no_trace_in_the_image() -> None:
    with DockerEngine() as engine:
        found = engine.image(find_image(engine).id) or {}
    history = subprocess.run(["docker", "history", "--no-trunc", found["Id"]], capture_output=True, text=True).stdout
    names = [each.partition("=")[0] for each in found["Config"].get("Env") or ()]
    assert names in ([], ["PATH"])
    assert "proxy" not in history.lower()
    assert "DEBIAN_MIRROR" not in history
    search = "find / -xdev ( -name ca.pem -o -name pip.conf -o -name apt.conf -o -path /etc/apt -o -path /site )"
    assert in_image(*search.split(), user="0") == ""


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_the_image_holds_what_it_promises() -> None:
    listed = "{each.name.lower(): each.version for each in distributions()}"
    code = f"import json; from importlib.metadata import distributions; print(json.dumps({listed}))"
    installed = json.loads(in_image("/opt/venv/bin/python", "-I", "-B", "-c", code))
    promised = {name.lower(): version for name, version in installed_packages()}
    assert {name: installed.get(name) for name in promised} == promised
    assert "pip" not in installed


LABELS = (
    "简体中文 销量",
    "日本語ラベル カタカナ ひらがな",
    "한국어 라벨",
    "Кириллица Їжак",
    "المبيعات السنوية",
    "עברית",
    "emoji 😀 🚀 📈 ❤️ 🟢 🥰 ✅",
    "ไทย हिन्दी Ελληνικά −5 €",
)
DRAW = """
import warnings; warnings.simplefilter("error")
import logging; logging.basicConfig(level=logging.WARNING)
import matplotlib; matplotlib.use("Agg")
import matplotlib.pyplot as plt, seaborn
for prepare in (
    lambda: None,
    seaborn.set_theme,
    lambda: plt.style.use("ggplot"),
    lambda: plt.rcParams.update({"font.sans-serif": ["SimHei"], "axes.unicode_minus": False}),
    lambda: plt.rcParams.update({"font.family": "Comic Sans Of Nowhere"}),
):
    matplotlib.rcdefaults(); matplotlib.use("Agg"); prepare()
    figure, axes = plt.subplots()
    for row, label in enumerate(labels):
        axes.text(0, row / 10, label)
    axes.set_title(labels[0], weight="bold")
    for kind in ("png", "svg", "pdf"):
        figure.savefig(f"/tmp/a.{kind}")
print("drawn")
"""


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_charts_draw_every_script_whatever_fonts_a_style_names() -> None:
    code = f"labels = {LABELS!r}\n{DRAW}"
    assert in_image("/opt/venv/bin/python", "-I", "-B", "-", code=code) == "drawn\n"


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_the_list_of_fonts_is_baked_in() -> None:
    code = "import os, matplotlib.font_manager as f; print(len(f.fontManager.ttflist) > 40, os.listdir('/tmp/mpl'))"
    assert in_image("/opt/venv/bin/python", "-I", "-B", "-c", code) == "True []\n"
