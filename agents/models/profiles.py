"""What is known of servers and models, as data: a server or model that no row names gets the plain defaults.

Everything here only saves a first refusal: what a server refuses is left out from then on, whatever its row says.
"""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

Api = Literal["chat", "responses"]
"""Chat completions, or the Responses API."""
ApiChoice = Literal["auto", "chat", "responses"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerProfile:
    """How one kind of server differs from the plainest chat-completions server."""

    name: str
    address: str = "(?!)"
    """Pattern of ``host:port`` in lower case."""
    has_responses: bool = False
    """It offers the Responses API, and reasoning models do better there."""
    has_developer_role: bool = False
    """The prompt of a reasoning model goes by that role."""
    never_sent: frozenset[str] = frozenset()
    """Parameters that it refuses."""
    thoughts_field: str = ""
    """The field of an assistant message in which a model's thoughts go back to it; empty: they do not."""
    thoughts_required: bool = False
    """That field must be there, though it be empty, when a message calls tools."""
    details_field: str = ""
    """The same for signed thoughts that only the vendor can read."""
    call_id_chars: int = 0
    """Letters and digits that the id of a call must have; 0: any id."""
    needs_reply_after_tools: bool = False
    """A person's message may not follow a tool's."""


PLAIN_SERVER = ServerProfile(name="OpenAI-compatible server")
SERVERS: tuple[ServerProfile, ...] = (
    # https://developers.openai.com/api/docs/guides/reasoning, 2026-11
    ServerProfile(name="OpenAI", address=r"^api\.openai\.com$", has_responses=True, has_developer_role=True),
    # Takes the key as OpenAI does at .../openai/v1: https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle
    ServerProfile(
        name="Azure OpenAI",
        address=r"\.(?:openai|services\.ai|cognitiveservices)\.azure\.(?:com|us|cn)$",
        has_responses=True,
        has_developer_role=True,
    ),
    # Comments in streams, reasoning_details: https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
    ServerProfile(name="OpenRouter", address=r"(?:^|\.)openrouter\.ai$", details_field="reasoning_details"),
    # 400 without it once tools were called: https://api-docs.deepseek.com/guides/thinking_mode
    ServerProfile(
        name="DeepSeek",
        address=r"(?:^|\.)deepseek\.com$",
        never_sent=frozenset({"reasoning_effort"}),
        thoughts_field="reasoning_content",
        thoughts_required=True,
    ),
    # https://help.aliyun.com/en/model-studio/deep-thinking
    ServerProfile(name="Qwen", address=r"^dashscope.*\.aliyuncs\.com$", never_sent=frozenset({"reasoning_effort"})),
    # Codes 3230 and 3280 of its API: the order of roles and the form of ids; usage comes unasked
    ServerProfile(
        name="Mistral",
        address=r"(?:^|\.)mistral\.ai$",
        never_sent=frozenset({"stream_options"}),
        call_id_chars=9,
        needs_reply_after_tools=True,
    ),
    # https://docs.ollama.com/api/openai-compatibility
    ServerProfile(name="Ollama", address=r":11434$", thoughts_field="reasoning"),
    # https://lmstudio.ai/docs/developer/openai-compat
    ServerProfile(name="LM Studio", address=r":1234$"),
    # https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
    ServerProfile(name="vLLM", address=r":8000$"),
    # https://github.com/ggml-org/llama.cpp/tree/master/tools/server
    ServerProfile(name="llama.cpp", address=r":8080$", thoughts_field="reasoning_content"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelProfile:
    """What a family of models takes; a name is compared in lower case and without what comes before its last slash."""

    names: str
    """Pattern that the name begins with."""
    efforts: tuple[str, ...] = ()
    """How long it can be told to think; none when it does not reason or does not let itself be told."""
    calls_without_effort_only: bool = False
    """On chat completions it calls functions only with the effort none."""
    only_on: Api | None = None
    """It exists on one API alone."""

    @property
    def reasons(self) -> bool:
        return bool(self.efforts)


_LOW_TO_HIGH = ("low", "medium", "high")
_NONE_TO_MAX = ("none", "low", "medium", "high", "xhigh", "max")
PLAIN_MODEL = ModelProfile(names="")
MODELS: tuple[ModelProfile, ...] = (
    ModelProfile(names=r"o1-(?:mini|preview)|gpt-[\d.]+-chat\b|gpt-.*-search|gpt-audio|gpt-4o-audio", only_on="chat"),
    # https://github.com/truefoundry/models/pull/2006, an audit of developers.openai.com/api/docs/models, 2026-08
    ModelProfile(
        names=r"(?:o[1-9]|gpt-[\d.]+)-(?:pro\b|deep-research)|.*-codex\b|codex-|computer-use",
        efforts=_LOW_TO_HIGH,
        only_on="responses",
    ),
    # https://developers.openai.com/api/docs/guides/deployment-checklist, 2026-11: these need Responses to call tools
    ModelProfile(names=r"gpt-6(?:\.\d+)?-astra|gpt-6\.1-sol", efforts=_NONE_TO_MAX[1:], only_on="responses"),
    # The same page, and https://github.com/BerriAI/litellm/pull/34569 for what an absent effort does
    ModelProfile(names=r"gpt-(?:5\.[6-9]|[6-9])", efforts=_NONE_TO_MAX, calls_without_effort_only=True),
    # https://github.com/openai/openai-openapi/issues/541, 2026-05
    ModelProfile(names=r"gpt-5\.[45]", efforts=_NONE_TO_MAX[:-1], calls_without_effort_only=True),
    ModelProfile(names=r"gpt-5\.[1-3]", efforts=("none", *_LOW_TO_HIGH)),
    ModelProfile(names=r"gpt-5", efforts=("minimal", *_LOW_TO_HIGH)),
    ModelProfile(names=r"o[1-9]|gpt-oss", efforts=_LOW_TO_HIGH),
)


# A name that is not here is not shown pictures, for a server that cannot read them refuses the whole request.
_SEES = re.compile(
    r"gpt-4o(?!-audio)|gpt-4\.1|gpt-4-turbo|gpt-[5-9]|chatgpt-4o|o1(?!-(?:mini|preview))|o3(?!-mini)|o4-mini"
    r"|claude|gemini|grok-[4-9]|pixtral|mistral-(?:small|medium|large)-(?:latest|[4-9])|llama-?4"
    r"|gemma-?[34]|.*(?:llava|vision|[-.\d]vl\b|[-.]v-|minicpm-v|internvl|moondream)"
)


def sees_charts(model: str) -> bool:
    """Whether a model of that name reads pictures."""
    return _SEES.match(_bare(model)) is not None


def server_profile(url: str) -> ServerProfile:
    """The row for an address."""
    parts = urlsplit(url)
    place = (parts.hostname or "") + (f":{parts.port}" if parts.port else "")
    return next((each for each in SERVERS if re.search(each.address, place)), PLAIN_SERVER)


def model_profile(model: str) -> ModelProfile:
    """The row for a model's name, also of a fine-tuned one and behind a vendor."""
    return next((each for each in MODELS if re.match(each.names, _bare(model))), PLAIN_MODEL)


def _bare(model: str) -> str:
    return model.strip().lower().removeprefix("ft:").rpartition("/")[2]
