"""Podman's service in the place of a Docker engine, as root or as a user without rights; ends with its block."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandbox.docker_engine import DockerEngine
from sandbox.image import find_image

_SECONDS_TO_START = 300
# Root becomes a user of a name and with a range of users of its own, which exists in this script alone: in its view the
# files in /etc are others, and every process of it ends with it, as it stays root itself until the end.
_WITHOUT_RIGHTS = """
set -eu
cd "$1"
chmod 755 . && mkdir home run etc && chown 61234:61234 home run && chmod 700 run
cp /etc/passwd /etc/group etc/
echo "rootless:x:61234:61234::$1/home:/bin/sh" >> etc/passwd
echo "rootless:x:61234:" >> etc/group
echo "rootless:700000:65536" | tee etc/subuid > etc/subgid
for file in passwd group subuid subgid; do mount --bind "etc/$file" "/etc/$file"; done
podman="setpriv --reuid 61234 --regid 61234 --clear-groups --inh-caps=-all env -i STORAGE_DRIVER=overlay \
  PATH=$PATH HOME=$1/home USER=rootless XDG_RUNTIME_DIR=$1/run podman"
docker save "$2" | $podman load --quiet
$podman system service --time=0 "unix://$1/run/podman.sock"
"""
_AS_ONESELF = """
set -eu
podman image exists "$2" || docker save "$2" | podman load --quiet
exec podman system service --time=0 "unix://$1/podman.sock"
"""


class Missing(Exception):
    """A backend that this machine does not have."""


@contextmanager
def podman_service(*, rootless: bool) -> Iterator[None]:
    """Podman's socket as the engine of this process, with the image of the Docker engine. Raises ``Missing``."""
    is_root = os.geteuid() == 0
    for tool in ("podman", *(["newuidmap", "unshare", "setpriv"] if rootless else [])):
        if shutil.which(tool) is None:
            raise Missing(f"{tool} is not installed")
    if not (is_root or rootless):
        raise Missing("only root can run podman as root")
    becomes_another = is_root and rootless
    script = _WITHOUT_RIGHTS if becomes_another else _AS_ONESELF
    apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"] if becomes_another else []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        said = Path(folder, "said")
        command = [*apart, "sh", "-c", script, "sh", folder, _image_tag()]
        with said.open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as service:
            try:
                address = Path(folder, "run" if becomes_another else "", "podman.sock")
                _wait_for(address, service, said)
                with _docker_host(address):
                    yield
            finally:
                service.kill()


def _image_tag() -> str:
    with DockerEngine() as engine:
        image = engine.image(find_image(engine, os.environ.get("SANDBOX_BASE_IMAGE", "")).id) or {}
        return str(image["RepoTags"][0])


def _wait_for(address: Path, service: "subprocess.Popen[bytes]", said: Path) -> None:
    deadline = time.monotonic() + _SECONDS_TO_START
    while not address.exists():
        if service.poll() is not None or time.monotonic() > deadline:
            raise Missing(f"podman's service does not start here: {said.read_text()[-300:].strip()}")
        time.sleep(0.1)


@contextmanager
def _docker_host(address: Path) -> Iterator[None]:
    before = os.environ.get("DOCKER_HOST")
    os.environ["DOCKER_HOST"] = f"unix://{address}"
    try:
        yield
    finally:
        if before is None:
            del os.environ["DOCKER_HOST"]
        else:
            os.environ["DOCKER_HOST"] = before
