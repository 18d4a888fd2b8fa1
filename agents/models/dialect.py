"""How one server wants to be asked for one model: first what the profiles say, then what its refusals taught."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from agents.models.failures import Failure
from agents.models.language_model import ModelRequest
from agents.models.profiles import (
    Api,
    ApiChoice,
    ModelProfile,
    ServerProfile,
    model_profile,
    sees_charts,
    server_profile,
)

PromptRole = Literal["developer", "system", "user"]
_DROPPABLE = {
    "reasoning_effort": re.compile(r"reasoning[._ ]?effort|\bthink(?:ing)?\b", re.I),
    "reasoning.effort": re.compile(r"reasoning[._ ]?effort|reasoning\.effort", re.I),
    "reasoning.summary": re.compile(r"reasoning[._ ]summar", re.I),
    "include": re.compile(r"encrypted.content|\binclude\b", re.I),
    "stream_options": re.compile(r"stream_options|include_usage", re.I),
}
_SOME_EXTRA = re.compile(r"extra inputs|unrecognized|unknown parameter|unexpected keyword|additional propert", re.I)
_ABOUT_ROLES = re.compile(r"role|not one of|unsupported|not support|invalid|unexpected", re.I)
_NEXT_ROLE: dict[tuple[PromptRole, PromptRole], PromptRole] = {
    ("developer", "developer"): "system",
    ("developer", "system"): "user",
    ("system", "system"): "developer",
    ("system", "developer"): "user",
}
_NO_TOOLS = re.compile(
    r"(?:not support|unsupported|no support|that support).{0,40}\b(?:tool|function call)"
    r"|\btool(?:s| use| calling| calls)? (?:is|are) not supported|\btools? (?:param|choice)\w* requires",
    re.I,
)
_TAUGHT: tuple[tuple[re.Pattern[str], Mapping[str, Any]], ...] = (
    (
        re.compile(r"missing.{0,20}reasoning_content|reasoning_content.{0,60}passed back", re.I),
        {"thoughts_field": "reasoning_content", "thoughts_required": True},
    ),
    (re.compile(r"tool call id .{0,80}length of 9", re.I), {"call_id_chars": 9}),
    (re.compile(r"role '?user'? after role '?tool", re.I), {"needs_reply_after_tools": True}),
)
"""What a refusal says about a server that no profile told, as with a vendor behind somebody's gateway."""
_ABOUT_THOUGHTS = re.compile(r"encrypted.content|'reasoning'|reasoning item", re.I)
_ABOUT_PICTURES = re.compile(r"image|vision|multi-?modal|content.{0,60}\bstring\b", re.I)
_EFFORT_HINDERS_CALLS = re.compile(r"tools with reasoning_effort", re.I)
_ELSEWHERE: dict[Api, re.Pattern[str]] = {
    "chat": re.compile(r"v1/responses|responses (?:api|endpoint)|not a chat model", re.I),
    "responses": re.compile(r"chat/completions|not supported (?:with|in|by) the responses", re.I),
}
_OTHER: dict[Api, Api] = {"chat": "responses", "responses": "chat"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """``first_role`` is where the search for the prompt's role began."""

    server: ServerProfile
    api: Api
    may_switch: bool
    """The other API was neither tried nor ruled out."""
    role: PromptRole
    first_role: PromptRole
    effort: str | None = None
    """The only effort that works, whatever is asked for."""
    without: frozenset[str] = frozenset()


def first_dialect(model: str, url: str, choice: ApiChoice = "auto") -> Dialect:
    """What to try first; with ``choice`` given the API is never switched."""
    server, known = server_profile(url), model_profile(model)
    api = _first_api(server, known) if choice == "auto" else choice
    role: PromptRole = "developer" if server.has_developer_role and known.reasons else "system"
    dialect = Dialect(
        server=server, api=api, may_switch=choice == "auto", role=role, first_role=role, without=server.never_sent
    )
    if not sees_charts(model):
        dialect = replace(dialect, without=dialect.without | {"charts"})
    needs_none = api == "chat" and server.has_responses and known.calls_without_effort_only
    return replace(dialect, effort="none") if needs_none else dialect


def _first_api(server: ServerProfile, known: ModelProfile) -> Api:
    if not server.has_responses:
        return "chat"
    return known.only_on or ("responses" if known.reasons else "chat")


def takes_effort(request: ModelRequest, dialect: Dialect) -> str | None:
    """The effort to ask for; None to ask for none."""
    known = model_profile(request.model)
    if dialect.effort:
        return dialect.effort if request.tools else request.effort
    return request.effort if known.reasons else None


def adapted(dialect: Dialect, failure: Failure, body: Mapping[str, Any]) -> Dialect | None:
    """The dialect without what the server has just refused; None when the refusal is about something else."""
    if failure.after_text or failure.status not in (400, 404, 405, 422, 500, 501):
        return None
    said = f"{failure.param} {failure.message}"
    for change in _CHANGES:
        changed = change(dialect, failure, said, body)
        if changed is not None:
            return changed
    return None


def _on_the_other_api(dialect: Dialect, failure: Failure, said: str, body: Mapping[str, Any]) -> Dialect | None:
    hinders = dialect.api == "chat" and _EFFORT_HINDERS_CALLS.search(said)
    if hinders and not (dialect.may_switch and dialect.server.has_responses):
        return replace(dialect, effort="none") if dialect.effort is None else None
    is_elsewhere = _ELSEWHERE[dialect.api].search(said) or (
        dialect.api == "responses" and failure.status in (404, 405) and not failure.is_unknown_model
    )
    if not dialect.may_switch or not is_elsewhere:
        return None
    return replace(dialect, api=_OTHER[dialect.api], may_switch=False)


def _with_tools_as_text(dialect: Dialect, failure: Failure, said: str, body: Mapping[str, Any]) -> Dialect | None:
    if "tools" not in body or not _NO_TOOLS.search(said):
        return None
    return replace(dialect, without=dialect.without | {"tools"})


def _without_parameters(dialect: Dialect, failure: Failure, said: str, body: Mapping[str, Any]) -> Dialect | None:
    if failure.status not in (400, 422):
        return None
    present = [name for name in _names_in(body) if name in _DROPPABLE]
    refused = [name for name in present if _DROPPABLE[name].search(said)]
    if not refused and _SOME_EXTRA.search(said):
        refused = present
    return replace(dialect, without=dialect.without | set(refused)) if refused else None


def _as_taught(dialect: Dialect, failure: Failure, said: str, body: Mapping[str, Any]) -> Dialect | None:
    for pattern, quirks in _TAUGHT:
        server = replace(dialect.server, **quirks)
        if pattern.search(said) and server != dialect.server:
            return replace(dialect, server=server)
    return None


def _without_thoughts(dialect: Dialect, failure: Failure, said: str, body: Mapping[str, Any]) -> Dialect | None:
    has_thoughts = any(item.get("type") == "reasoning" for item in body.get("input", ()))
    if not has_thoughts or not _ABOUT_THOUGHTS.search(said):
        return None
    return replace(dialect, without=dialect.without | {"thoughts"})


def _without_charts(dialect: Dialect, failure: Failure, said: str, body: Mapping[str, Any]) -> Dialect | None:
    written = [message.get("content") for message in body.get("messages", ())]
    written += [item.get("output") for item in body.get("input", ())]
    if not any(isinstance(each, list) for each in written) or not _ABOUT_PICTURES.search(said):
        return None
    return replace(dialect, without=dialect.without | {"charts"})


def _names_in(body: Mapping[str, Any]) -> Iterator[str]:
    for name, value in body.items():
        yield name
        if isinstance(value, dict):
            yield from (f"{name}.{inner}" for inner in value)


def _with_another_role(dialect: Dialect, failure: Failure, said: str, body: Mapping[str, Any]) -> Dialect | None:
    if failure.status not in (400, 422):
        return None
    about_role = re.search(rf"\b{dialect.role}\b", said, re.I) or failure.param.endswith("role")
    next_role = _NEXT_ROLE.get((dialect.first_role, dialect.role))
    return replace(dialect, role=next_role) if next_role and about_role and _ABOUT_ROLES.search(said) else None


_CHANGES = (
    _on_the_other_api,
    _with_tools_as_text,
    _as_taught,
    _without_thoughts,
    _without_charts,
    _without_parameters,
    _with_another_role,
)
