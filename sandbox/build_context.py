"""What a build of the image needs, as one tar: the image's files, and how this host reaches its package index."""

import ast
import hashlib
import io
import os
import ssl
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

from sandbox.packages import EXTRA_REQUIREMENTS, extra_requirements

HERE = Path(__file__).resolve().parent
_PIP_OPTIONS = ("index-url", "extra-index-url", "trusted-host", "timeout", "retries")
_SYSTEM_CERTIFICATES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt")


def image_files() -> dict[str, bytes]:
    """The files that make up the image, by their names in the build; its content label is computed from them.

    Raises ``SandboxError`` when the person's own list of libraries is malformed.
    """
    names = ("Dockerfile", "requirements.txt", "chart_fonts.py")
    files = {name: (HERE / "image" / name).read_bytes() for name in names}
    files[EXTRA_REQUIREMENTS.name] = extra_requirements().encode()
    inside = sorted((HERE / "inside").rglob("*.py"))
    return files | {path.relative_to(HERE).as_posix(): path.read_bytes() for path in inside}


def content_hash(base_image: str) -> str:
    """Changes whenever the image must be built anew."""
    digest = hashlib.sha256(base_image.encode())
    for name, content in image_files().items():
        digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def build_context() -> bytes:
    """The whole context as an uncompressed tar."""
    site = {f"site/{name}": content for name, content in _site_files().items()}
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for name, content in (image_files() | site).items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o644
            tar.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def proxy_arguments() -> dict[str, str]:
    """The host's proxies as build arguments; Docker keeps these out of the image's history by their names."""
    names = ("http_proxy", "https_proxy", "no_proxy", "all_proxy")
    return {name: os.environ[name] for each in names for name in (each, each.upper()) if os.environ.get(name)}


def _site_files() -> dict[str, bytes]:
    """The folder ``site`` of the builder stage: pip's and apt's configuration and the certificates they trust."""
    options = dict(_pip_options())
    certificates = _certificates(options.pop("cert", ""))
    pip = ["[global]", *(f"{name} = {value}" for name, value in options.items())]
    apt = ['Acquire::Retries "3";']
    if certificates:
        pip.append("cert = /site/ca.pem")
        apt.append('Acquire::https::CAInfo "/site/ca.pem";')
    files = {"pip.conf": "\n".join(pip).encode(), "apt.conf": "\n".join(apt).encode()}
    return files | ({"ca.pem": certificates} if certificates else {})


def _pip_options() -> Iterator[tuple[str, str]]:
    """What pip is told on this host, later ones winning; addresses in its own file system are left out."""
    sections = {section: dict[str, str]() for section in ("global", "install", ":env:")}
    command = [sys.executable, "-m", "pip", "config", "list"]
    for line in subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines():
        name, _, value = line.partition("=")
        section, _, option = name.rpartition(".")
        if section in sections:
            sections[section][option.removeprefix("default-")] = str(ast.literal_eval(value))
    if not sections[":env:"]:
        names = (*_PIP_OPTIONS, "cert")
        sections[":env:"] = {name: os.environ.get(f"PIP_{name.upper().replace('-', '_')}", "") for name in names}
    for name in (*_PIP_OPTIONS, "cert"):
        values = [options[name] for options in sections.values() if options.get(name)]
        kept = " ".join(each for each in (values or [""])[-1].split() if not each.startswith("file:"))
        if kept:
            yield name, kept


def _certificates(chosen_for_pip: str) -> bytes:
    chosen = [os.environ.get(name, "") for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")]
    default = ssl.get_default_verify_paths().cafile or ""
    for path in (chosen_for_pip, *chosen, default, *_SYSTEM_CERTIFICATES):
        if path and Path(path).is_file():
            return Path(path).read_bytes()
    return b""
