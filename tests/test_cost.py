"""Money of model calls by the price table, and the limit at which to stop."""

import tomllib
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from agents.events import Finished, ModelCalled, Usage
from analysis.cost import Spending, SpendLimit, in_dollars, spending
from analysis.prices import PRICES, Price, PriceTable, PriceTableError, load_prices
from analysis.record import Entry, QuestionAsked

TABLE = load_prices()
SOME = Usage(prompt_tokens=10_000, cached_tokens=4_000, completion_tokens=2_000, reasoning_tokens=1_500)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_cached_and_reasoning_tokens_are_counted_once() -> None:
    # o3-mini: 6,000 fresh at 1.10, 4,000 cached at 0.55, 2,000 out at 4.40, each for a million.
    assert TABLE.cost("o3-mini", SOME) == Decimal("0.0066") + Decimal("0.0022") + Decimal("0.0088")


def test_no_tokens_cost_nothing() -> None:
    assert TABLE.cost("o3-mini", Usage()) == 0


def test_more_cached_tokens_than_prompt_tokens_never_cost_less_than_nothing() -> None:
    assert TABLE.cost("o3-mini", Usage(prompt_tokens=100, cached_tokens=500)) == Decimal("0.000055")


def test_without_a_cached_price_cached_tokens_cost_what_input_costs(tmp_path: Path) -> None:
    table = load_prices(
        written(tmp_path, SOURCE + "a = { input = 1, output = 2 }\nb = { input = 1, cached_input = 0, output = 2 }")
    )
    usage = Usage(prompt_tokens=1_000_000, cached_tokens=1_000_000)
    assert [table.cost(name, usage) for name in "ab"] == [Decimal(1), Decimal(0)]


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("o3-mini", "o3-mini"),
        ("O3-Mini ", "o3-mini"),
        ("o3-mini-2025-01-31", "o3-mini"),
        ("gpt-4o-20241120", "gpt-4o"),
        ("openai/gpt-4o", "gpt-4o"),
        ("azure/openai/gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
    ],
)
def test_a_model_is_found_by_its_name_with_vendor_and_date(name: str, listed: str) -> None:
    assert TABLE.find(name) is TABLE.prices[listed]


@pytest.mark.parametrize(
    "name",
    ["", "gpt-4o-audio-preview", "gpt-4o:free", "gpt-4", "gpt-oss:20b", "o3-mini-high", "gpt-4o-2024", "ft:gpt-4o:me"],
)
def test_a_model_that_is_not_listed_has_no_price(name: str) -> None:
    assert TABLE.cost(name, SOME) is None


def test_the_table_that_comes_along_names_page_and_day_of_each_price() -> None:
    assert {"o3-mini", "gpt-4o", "gpt-6-luna", "deepseek-flash"} <= TABLE.prices.keys()
    for price in TABLE.prices.values():
        assert price.page.startswith("https://")
        assert date(2026, 10, 1) <= price.checked
        assert 0 <= price.cached_input <= price.input <= price.output


def test_no_model_is_listed_twice() -> None:
    sources = tomllib.loads(PRICES.read_text(encoding="utf-8"))["source"]
    names = [name for source in sources for name in source["models"]]
    assert len(names) == len(set(names))


SOURCE = '[[source]]\npage = "https://example.org"\nchecked = 2026-01-31\n[source.models]\n'


def test_a_table_of_ones_own_takes_the_place_of_the_other(tmp_path: Path) -> None:
    table = load_prices(written(tmp_path, SOURCE + '"My-Model" = { input = 0.5, output = 1 }'))
    own = Price(
        input=Decimal("0.5"),
        cached_input=Decimal("0.5"),
        output=Decimal(1),
        page="https://example.org",
        checked=date(2026, 1, 31),
    )
    assert table.prices == {"my-model": own}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("not toml", "is not valid TOML"),
        ("a = 1", "each [[source]] needs page, checked"),
        ("source = 5", "each [[source]] needs page, checked"),
        (SOURCE.replace("2026-01-31", '"soon"'), "each [[source]] needs page, checked"),
        (SOURCE.replace("2026-01-31", "2026-01-31T10:00:00"), "each [[source]] needs page, checked"),
        ('[[source]]\npage = "x"\nchecked = 2026-01-31\nmodels = []', "each [[source]] needs page, checked"),
        (SOURCE + "x = { input = 1 }", "no usable price for x"),
        (SOURCE + "x = { input = -1, output = 1 }", "no usable price for x"),
        (SOURCE + 'x = { input = "1", output = 1 }', "no usable price for x"),
        (SOURCE + "x = { input = nan, output = 1 }", "no usable price for x"),
        (SOURCE + "x = { input = inf, output = 1 }", "no usable price for x"),
        (SOURCE + "x = { input = true, output = 1 }", "no usable price for x"),
        (SOURCE + "x = { input = 1, output = 1, cached = 1 }", "no usable price for x"),
        (SOURCE + "x = 5", "no usable price for x"),
    ],
)
def test_a_faulty_table_is_told_in_words(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(PriceTableError) as error:
        load_prices(path)
    assert told in str(error.value)
    assert str(path) in str(error.value)


def test_a_missing_table_is_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(PriceTableError, match=r"cannot be read\. Correct MODEL_PRICES"):
        load_prices(tmp_path / "none.toml")


def test_a_table_that_is_no_text_is_told_in_words(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PriceTableError, match="is not valid TOML"):
        load_prices(path)


def test_spending_is_the_sum_over_all_models_of_the_entries() -> None:
    entries: list[Entry] = [
        QuestionAsked("?"),
        ModelCalled("gpt-4o", Usage(prompt_tokens=1_000_000)),
        ModelCalled("o3-mini", Usage(completion_tokens=1_000_000, reasoning_tokens=9)),
        ModelCalled("qwen3:8b", Usage(prompt_tokens=5)),
        ModelCalled("qwen3:8b", Usage(prompt_tokens=5)),
        Finished("done", Usage(prompt_tokens=77)),
    ]
    assert spending(entries, TABLE) == Spending(
        Usage(prompt_tokens=1_000_010, completion_tokens=1_000_000, reasoning_tokens=9), Decimal("6.9"), ("qwen3:8b",)
    )


def test_the_sum_of_the_questions_is_the_sum_of_the_record() -> None:
    calls = [ModelCalled("gpt-4o" if at % 3 else "o3-mini", Usage(prompt_tokens=at * 7919)) for at in range(100)]
    halves = [spending(calls[:50], TABLE).dollars, spending(calls[50:], TABLE).dollars]
    assert sum(each for each in halves if each is not None) == spending(calls, TABLE).dollars


def test_spending_is_told_with_its_tokens_and_money() -> None:
    [sentence] = spending([ModelCalled("o3-mini", SOME)], TABLE).sentences
    assert str(sentence) == "10,000 tokens in (4,000 cached), 2,000 out (1,500 reasoning): $0.0176."


def test_a_model_without_a_price_is_told_and_its_tokens_are_counted() -> None:
    told = [str(sentence) for sentence in spending([ModelCalled("qwen3:8b", SOME)], TABLE).sentences]
    assert told == [
        "10,000 tokens in (4,000 cached), 2,000 out (1,500 reasoning).",
        "No price is known for qwen3:8b. Add one to the price table to count it.",
    ]


@pytest.mark.parametrize("entries", [[], [ModelCalled("o3-mini", Usage())], [ModelCalled("offline", Usage())]])
def test_nothing_is_told_when_no_tokens_were_counted(entries: list[ModelCalled]) -> None:
    assert spending(entries, TABLE).sentences == ()


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        ("0", "$0.00"),
        ("0.00001", "<$0.0001"),
        ("0.0001", "$0.0001"),
        ("0.01764", "$0.0176"),
        ("0.00005", "<$0.0001"),
        ("0.99995", "$1.00"),
        ("0.5", "$0.50"),
        ("0.125", "$0.1250"),
        ("1.005", "$1.01"),
        ("1234.5", "$1,234.50"),
    ],
)
def test_money_is_written_as_people_read_it(amount: str, text: str) -> None:
    assert in_dollars(Decimal(amount)) == text


def test_the_limit_stops_once_it_is_reached() -> None:
    limit = SpendLimit(Decimal("0.50"))
    assert limit.reached(Spending()) is None
    assert limit.reached(Spending(dollars=Decimal("0.499999"))) is None
    sentence = limit.reached(Spending(dollars=Decimal("0.5")))
    assert str(sentence) == (
        "This chat has cost $0.50 and its limit is $0.50. Raise SPEND_LIMIT_USD, or begin a new chat."
    )


def test_without_a_limit_nothing_stops() -> None:
    assert SpendLimit().reached(Spending(dollars=Decimal(10**6))) is None


def test_a_limit_of_nothing_stops_at_once() -> None:
    assert SpendLimit(Decimal(0)).reached(Spending()) is not None


def test_the_table_can_be_looked_up_by_hand() -> None:
    assert PriceTable({}).cost("o3-mini", SOME) is None
