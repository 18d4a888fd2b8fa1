"""What a model's tokens cost, from a dated table that a person can edit; a model without a price stays without one."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from agents.events import Usage
from wording import ToldError

PRICES = Path(__file__).with_name("prices.toml")
_MILLION = 1_000_000
_KEYS = {"input", "cached_input", "output"}
_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})\Z")


class PriceTableError(ToldError):
    """The table cannot be read or says something that is no price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens; ``page`` is where they stood on the day ``checked``."""

    input: Decimal
    cached_input: Decimal
    output: Decimal
    page: str
    checked: date

    def of(self, usage: Usage) -> Decimal:
        """US dollars. Cached tokens are part of the prompt, reasoning is part of the completion."""
        cached = min(usage.cached_tokens, usage.prompt_tokens)
        fresh = usage.prompt_tokens - cached
        return (fresh * self.input + cached * self.cached_input + usage.completion_tokens * self.output) / _MILLION


@dataclass(frozen=True, slots=True)
class PriceTable:
    prices: Mapping[str, Price]
    path: Path = PRICES

    def find(self, model: str) -> Price | None:
        """The price of a model, also when its name begins with a vendor or ends with the date of a snapshot."""
        name = model.strip().lower().rpartition("/")[2]
        return self.prices.get(name) or self.prices.get(_SNAPSHOT.sub("", name))

    def cost(self, model: str, usage: Usage) -> Decimal | None:
        """US dollars, or None when the model has no price."""
        price = self.find(model)
        return None if price is None else price.of(usage)


def load_prices(path: Path = PRICES) -> PriceTable:
    """The table of that file. Raises ``PriceTableError``."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"), parse_float=Decimal)
    except OSError as error:
        raise PriceTableError(
            "The price table {path} cannot be read. Correct MODEL_PRICES, or leave it empty.", path=path
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PriceTableError(
            "The price table {path} is not valid TOML: {fault}. Correct it there.", path=path, fault=error
        ) from error
    return PriceTable(dict(_entries(table, path)), path)


def _entries(table: Mapping[str, Any], path: Path) -> Iterator[tuple[str, Price]]:
    try:
        for source in table["source"]:
            page, checked = source["page"], source["checked"]
            if not isinstance(page, str) or type(checked) is not date:
                raise TypeError
            for name, values in source["models"].items():
                yield name.lower(), _price(name, values, page, checked, path)
    except (KeyError, TypeError, AttributeError) as error:
        raise PriceTableError(
            "In the price table {path} each [[source]] needs page, checked (a date such as 2026-01-31) and models. "
            "Correct it there.",
            path=path,
        ) from error


def _price(name: str, values: Any, page: str, checked: date, path: Path) -> Price:
    given = values if isinstance(values, dict) else {}
    amounts = {key: _amount(value) for key, value in given.items()}
    fresh, output = amounts.get("input"), amounts.get("output")
    if fresh is None or output is None or None in amounts.values() or not given.keys() <= _KEYS:
        raise PriceTableError(
            "The price table {path} gives no usable price for {model}. It takes input, output and cached_input, "
            "in dollars per million tokens, of 0 or more.",
            path=path,
            model=name,
        )
    cached = amounts.get("cached_input", fresh)
    return Price(
        input=fresh, cached_input=fresh if cached is None else cached, output=output, page=page, checked=checked
    )


def _amount(value: Any) -> Decimal | None:
    """The value as dollars; None for what is no amount."""
    if type(value) not in (int, Decimal):
        return None
    amount = Decimal(value)
    return amount if amount.is_finite() and amount >= 0 else None
