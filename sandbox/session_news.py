"""What a person and a model are told when the box of a session was replaced; decides nothing."""

from collections.abc import Iterable

from sandbox.observer import EndReason
from sandbox.sandbox import ExecutionResult, OutputText, StateLoss
from wording import Sentence

CLOSED = Sentence("The session was closed while the code ran. Begin a new one.")
GONE = Sentence(
    "The sandbox ended while the code ran. The next code runs in a new one: variables are gone, "
    "the files in /data are there."
)
REPLACED = Sentence(
    "The sandbox was replaced by a new one: variables of earlier cells are gone, the files in /data are there."
)
WAS_IDLE = Sentence(
    "The sandbox was not used for a while and was replaced by a new one: variables of earlier cells are gone, "
    "the files in /data are there."
)
WAS_NEEDED = Sentence(
    "All sandboxes were in use, and this one, unused for longest, was given to another session. A new one has "
    "replaced it: variables of earlier cells are gone, the files in /data are there."
)
WAS_OLD = Sentence(
    "The sandbox reached its longest lifetime and was replaced by a new one: variables of earlier cells are gone, "
    "the files in /data are there."
)
NEWS_OF = {EndReason.IDLE: WAS_IDLE, EndReason.NEEDED: WAS_NEEDED, EndReason.OLD: WAS_OLD}
"""For the reasons for which a box is given up that could still be used."""


def cut_short(printed: Iterable[OutputText], notice: Sentence, seconds: float) -> ExecutionResult:
    """The result of a cell whose box ended before the cell did."""
    texts = list(printed)
    return ExecutionResult(
        stdout="".join(each.text for each in texts if each.stream == "stdout"),
        stderr="".join(each.text for each in texts if each.stream == "stderr"),
        error=str(notice),
        state_lost=StateLoss.CONTAINER_GONE,
        duration_s=seconds,
        notices=(notice,),
    )
