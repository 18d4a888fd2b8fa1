"""What can go wrong at a model's server, as plain values, and the sentence for each; no key is ever in one."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from agents.models.language_model import ContextTooLong, ModelError
from tools.plain_text import plain, whole
from wording import Sentence

_MESSAGE_CHARS = 300
_SECRETS = re.compile(
    r"\b(?:sk|rk|pk|gsk|xai|hf|key)[-_][\w.*…-]{4,}|\bAIza[\w-]{8,}|(?i:\bBearer\s+)\S+|(?<=://)[^\s/@]+@"
)
_UNKNOWN_MODEL = re.compile(
    r"\bmodel\b.*(?:not found|not exist|not available|unknown|no such)|(?:invalid|unknown) model", re.I
)
_TOO_LONG = re.compile(
    r"context.?(?:length|window|size)|maximum context|too (?:long|many tokens)|reduce the length", re.I
)
_PARAMETER = re.compile(
    r"unsupported.(?:parameter|value)|unrecognized|unknown parameter|extra inputs|not support", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """``status`` is the HTTP status, 0 without one; ``message`` is the server's own words, already masked and short."""

    kind: Literal["status", "reported", "unreachable", "untrusted", "timeout", "broken", "garbled"]
    status: int = 0
    code: str = ""
    param: str = ""
    message: str = ""
    retry_after: float | None = None
    """Seconds that the server asks to wait."""
    after_text: bool = False
    """Part of the answer was already shown."""

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed in a moment."""
        if self.after_text or self.out_of_credit:
            return False
        return self.kind in ("unreachable", "broken") or self.status in (408, 409, 429) or self.status >= 500

    @property
    def out_of_credit(self) -> bool:
        return self.status == 402 or self.code in (
            "insufficient_quota",
            "billing_hard_limit_reached",
            "billing_not_active",
        )

    @property
    def is_unknown_model(self) -> bool:
        return self.code in ("model_not_found", "invalid_model") or bool(_UNKNOWN_MODEL.search(self.message))

    @property
    def is_too_long(self) -> bool:
        """The request holds more than the model reads."""
        if self.status == 413 or self.code == "context_length_exceeded":
            return True
        return bool(_TOO_LONG.search(self.message))

    @property
    def waiting_reason(self) -> Sentence:
        """Why it is tried again."""
        if self.status == 429:
            return Sentence("The model's server has too many requests.")
        if self.status or self.kind == "reported":
            return Sentence("The model's server failed.")
        return Sentence("The model's server does not answer.")


def unreached(cause: str, has_connected: bool) -> Failure:
    """A connection that failed, by the words of the library below."""
    if "CERTIFICATE_VERIFY_FAILED" in cause:
        return Failure(kind="untrusted")
    return Failure(kind="broken" if has_connected else "unreachable")


def refused(status: int, text: str, retry_after: str | None, key: str) -> Failure:
    """An HTTP error; its body may be anything."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = {"message": text}
    try:
        seconds = max(0.0, float(retry_after or ""))
    except ValueError:
        seconds = None
    return replace(_details(body, key), kind="status", status=status, retry_after=seconds)


def reported(error: object, key: str) -> Failure:
    """An error object in the midst of a good reply."""
    details = _details({"error": error}, key)
    return replace(details, status=int(details.code) if re.fullmatch(r"[45]\d\d", details.code) else 0)


def _details(body: Any, key: str) -> Failure:
    """What an error says: as a rule an object inside ``error``, but some servers send text there, or no object."""
    error = body.get("error") if isinstance(body, dict) else body
    details = next((each for each in (error, body) if isinstance(each, dict)), {})
    codes = [str(details.get(name) or "") for name in ("code", "type")]
    message = details.get("message") or details.get("detail") or details.get("msg") or error or ""
    return Failure(
        kind="reported",
        code="insufficient_quota" if "insufficient_quota" in codes else codes[0],
        param=str(details.get("param") or ""),
        message=short_message(str(message), key),
    )


def told(failure: Failure, model: str, server: str) -> ModelError:
    """The failure as a sentence with its remedy."""
    template = next(template for applies, template in _SENTENCES if applies(failure))
    values: dict[str, object] = {
        "model": model,
        "server": server,
        "status": failure.status,
        "message": failure.message,
    }
    return ContextTooLong(template, **values) if failure.is_too_long else ModelError(template, **values)


def without_secrets(text: str, key: str = "") -> str:
    """The text with whatever looks like a key masked, and ``key`` itself."""
    return _SECRETS.sub("[hidden]", text.replace(key, "[hidden]") if len(key) >= 4 else text)


def short_message(text: str, key: str) -> str:
    """A server's words on one line, without secrets and full stop; nothing of a web page."""
    if re.search(r"<\s*(?:!doctype|html|head|body)\b", text, re.I):
        return ""
    words = " ".join(plain(whole(text)).split())
    return without_secrets(words, key)[:_MESSAGE_CHARS].rstrip(". ")


def _says(pattern: re.Pattern[str], *codes: str) -> Callable[[Failure], bool]:
    return lambda failure: failure.code in codes or bool(pattern.search(failure.message))


_SENTENCES: tuple[tuple[Callable[[Failure], bool], str], ...] = (
    (
        lambda failure: failure.kind == "unreachable",
        "The model's server at {server} does not answer. Check the network and the base URL.",
    ),
    (
        lambda failure: failure.kind == "untrusted",
        "The certificate of {server} is not trusted. Let SSL_CERT_FILE name your organisation's certificates.",
    ),
    (
        lambda failure: failure.kind == "timeout",
        "The model's server at {server} did not answer in time. Ask again, or choose a faster model.",
    ),
    (lambda failure: failure.kind == "broken", "The connection to {server} broke off. Ask again."),
    (
        lambda failure: failure.kind == "garbled",
        "{server} sent something that is not a chat completion. Check the base URL; most end with /v1.",
    ),
    (
        lambda failure: failure.out_of_credit,
        "The account behind the key has no credit left. Add credit or raise its limit at the provider, then ask again.",
    ),
    (
        lambda failure: failure.status == 401,
        "The key was refused by {server}. Check the key; copy it again if in doubt.",
    ),
    (
        lambda failure: failure.status == 403,
        "The key may not use {model} at {server}. Choose another model or another key.",
    ),
    (
        lambda failure: failure.status in (404, 405),
        "Nothing answers chat requests at {server}. Check the base URL; most end with /v1.",
    ),
    (
        lambda failure: failure.is_too_long,
        "The conversation is too long for {model}. Begin a new one, or choose a model that reads more.",
    ),
    (
        _says(re.compile(r"content.?(?:filter|policy|management)", re.I), "content_filter", "content_policy_violation"),
        "The model's server refused the question for its content. Put it differently.",
    ),
    (
        lambda failure: failure.status in (400, 422) and _says(_PARAMETER)(failure),
        "{model} refused a parameter of the request: {message}. Choose another effort or another model.",
    ),
    (
        lambda failure: failure.status == 429,
        "The model's server has too many requests, or the limit of the key is reached. Wait a minute, then ask again.",
    ),
    (
        lambda failure: failure.kind == "reported" and bool(failure.message),
        "The model's server reported: {message}. Ask again, or choose another model.",
    ),
    (
        lambda failure: failure.status >= 500,
        "The model's server failed (status {status}). Ask again in a minute, or choose another model.",
    ),
    (
        lambda failure: failure.kind == "reported",
        "The model's server failed. Ask again in a minute, or choose another model.",
    ),
    (
        lambda failure: bool(failure.message),
        "The model's server refused the request: {message}. Choose another model, or begin a new conversation.",
    ),
    (
        lambda failure: True,
        "The model's server refused the request (status {status}). Choose another model, or begin a new conversation.",
    ),
)
