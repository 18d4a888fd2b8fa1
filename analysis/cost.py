"""What questions have cost so far, and the limit at which to stop; knows the record and the price table."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from agents.events import ModelCalled, Usage
from analysis.prices import PriceTable
from analysis.record import Entry
from wording import Sentence

_CENT, _HUNDREDTH_OF_A_CENT = Decimal("0.01"), Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Spending:
    """Tokens and money of one or more model calls."""

    usage: Usage = field(default_factory=Usage)
    dollars: Decimal | None = None
    """What the calls with a price cost together; None when none has one."""
    unpriced: tuple[str, ...] = ()
    """Models without a price, whose tokens count and whose money does not."""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Tokens and money in words; nothing when no server counted any tokens."""
        if not self.usage.prompt_tokens and not self.usage.completion_tokens:
            return ()
        values = {
            "read": f"{self.usage.prompt_tokens:,}",
            "cached": f"{self.usage.cached_tokens:,}",
            "written": f"{self.usage.completion_tokens:,}",
            "reasoning": f"{self.usage.reasoning_tokens:,}",
            "cost": in_dollars(self.dollars or Decimal(0)),
        }
        tokens = Sentence("{read} tokens in ({cached} cached), {written} out ({reasoning} reasoning).", values)
        money = Sentence("{read} tokens in ({cached} cached), {written} out ({reasoning} reasoning): {cost}.", values)
        told = [tokens if self.dollars is None else money]
        if self.unpriced:
            models = ", ".join(self.unpriced)
            told.append(
                Sentence("No price is known for {models}. Add one to the price table to count it.", {"models": models})
            )
        return tuple(told)


@dataclass(frozen=True, slots=True)
class SpendLimit:
    """US dollars that one chat may cost; None is no limit."""

    dollars: Decimal | None = None

    def reached(self, spent: Spending) -> Sentence | None:
        """Why no further model call should be made, or None to go on."""
        so_far = spent.dollars or Decimal(0)
        if self.dollars is None or so_far < self.dollars:
            return None
        return Sentence(
            "This chat has cost {spent} and its limit is {limit}. Raise SPEND_LIMIT_USD, or begin a new chat.",
            {"spent": in_dollars(so_far), "limit": in_dollars(self.dollars)},
        )


def spending(entries: Iterable[Entry], prices: PriceTable) -> Spending:
    """The sum over the model calls among these entries: one question's, or a whole record's."""
    calls = [entry for entry in entries if isinstance(entry, ModelCalled)]
    costs = [(call.model, prices.cost(call.model, call.usage)) for call in calls]
    known = [cost for _, cost in costs if cost is not None]
    return Spending(
        usage=sum((call.usage for call in calls), Usage()),
        dollars=sum(known, Decimal(0)) if known else None,
        unpriced=tuple(dict.fromkeys(model for model, cost in costs if cost is None)),
    )


def in_dollars(amount: Decimal) -> str:
    """Money as people read it: in cents from a dollar on, with up to four decimals below."""
    if 0 < amount < _HUNDREDTH_OF_A_CENT:
        return "<$0.0001"
    cents, finer = (amount.quantize(step, ROUND_HALF_UP) for step in (_CENT, _HUNDREDTH_OF_A_CENT))
    return f"${cents:,}" if amount >= 1 or cents == finer else f"${finer}"
