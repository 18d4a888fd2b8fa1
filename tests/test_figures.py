"""Numbers as people and programs write them, in English and Chinese."""

from decimal import Decimal

import pytest

from analysis.chinese_numerals import read_numeral
from analysis.figures import read_numbers
from analysis.results import Results


def values(text: str) -> list[str]:
    """The first reading of each number, with % where it counts hundredths."""
    readings = [number.readings[0] for number in read_numbers(text)]
    return [f"{reading.value.normalize():f}" + "%" * reading.percent for reading in readings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12.345", ["12.345"]),
        ("a mean of 12.3.", ["12.3"]),
        ("1,234,567.5", ["1234567.5"]),
        ("1\u202f234\u00a0567", ["1234567"]),
        ("1,2,3", ["1", "2", "3"]),
        ("12,34", ["12", "34"]),
        (".85", ["0.85"]),
        ("[1. 2. 3.]", ["1", "2", "3"]),
        ("１２．３％", ["12.3%"]),
        ("12.3%", ["12.3%"]),
        ("12.3 percent, 4 per cent, 5 pct, 6 pp", ["12.3%", "4%", "5%", "6%"]),
        ("3 percentage points", ["3%"]),
        ("5‰", ["0.5%"]),
        ("1.2K, 3M, $1.2bn and 4 million", ["1200", "3000000", "1200000000", "4000000"]),
        ("5 m, 5 km, 12kg, 30s", ["5", "5", "12", "30"]),
        ("1.2e-5 3E8 1.5e+06", ["0.000012", "300000000", "1500000"]),
        ("1.2×10^5 and 3 x 10^-2", ["120000", "0.03"]),
        ("10^-5, 10⁻⁵, 10^{5} and 3.2 × 10⁻¹²", ["0.00001", "0.00001", "100000", "0.0000000000032"]),
        ("R², 5 km² and 1/10²", ["5", "1", "100"]),
        ("5x and 5 times", ["5", "5"]),
        ("1990s", ["1990"]),
        ("2.50", ["2.5"]),
    ],
)
def test_numbers_are_read_from_english(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("共8760行", ["8760"]),
        ("12万", ["120000"]),
        ("1.2亿元", ["120000000"]),
        ("3百万", ["3000000"]),
        ("12万亿", ["12000000000000"]),
        ("1亿2000万", ["120000000"]),
        ("3万5千人", ["35000"]),
        ("百分之12.3", ["12.3%"]),
        ("百分之十二点三", ["12.3%"]),
        ("千分之三", ["0.3%"]),
        ("3个百分点", ["3%"]),
        ("三成", ["30%"]),
        ("3.5成", ["35%"]),
        ("一百二十万", ["1200000"]),
        ("三千五百二十", ["3520"]),
        ("一千零五", ["1005"]),
        ("两万", ["20000"]),
        ("一点二亿", ["120000000"]),
        ("三点五倍", ["3.5"]),
        ("5千克、3千米、2千瓦", ["5", "3", "2"]),
        ("下降了－5", ["-5"]),
    ],
)
def test_numbers_are_read_from_chinese(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "两列",
        "三个因素",
        "万一",
        "千万不要",
        "一成不变",
        "三成员",
        "有一点",
        "第十二",
        "第一百二十",
        "几十万",
        "数十万",
        "百分之百",
    ],
)
def test_small_counts_and_idioms_in_chinese_numerals_are_no_numbers(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    "text", ["gpt-4o", "o3-mini", "PM2.5", "R2", "CO2", "2nd", "21st", "3D", "col_3", "3f2a9c", "Q3", "v2"]
)
def test_digits_within_names_are_no_numbers(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-0.5", ["-0.5"]),
        ("−0.5", ["-0.5"]),
        ("–0.5", ["-0.5"]),
        ("(-0.5)", ["-0.5"]),
        ("r=-0.5", ["-0.5"]),
        ("为-0.5", ["-0.5"]),
        ("-$5 and $-5", ["-5", "-5"]),
        ("3-5", ["3", "5"]),
        ("3–5", ["3", "5"]),
        ("10%-20%", ["10%", "20%"]),
        ("- 5", ["5"]),
        ("a-5", []),
    ],
)
def test_a_minus_is_told_from_a_dash(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize("text", ["10-20%", "10–20 %", "10 to 20%", "10～20％", "10至20%"])
def test_the_first_end_of_a_range_may_have_the_unit_of_the_second(text: str) -> None:
    first, second = read_numbers(text)
    assert [(reading.value, reading.percent) for reading in first.readings] == [
        (Decimal(10), False),
        (Decimal(10), True),
    ]
    assert second.readings[0].percent


def test_the_first_end_of_a_range_may_be_in_units_of_ten_thousand() -> None:
    assert [reading.value for reading in read_numbers("3-5万")[0].readings] == [3, 30000]


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("12", 1),
        ("12.30", "0.01"),
        ("1.2M", 100_000),
        ("12万", 10_000),
        ("1.20亿", 1_000_000),
        ("3成", 10),
        ("1.2e3", 100),
    ],
)
def test_the_last_digit_written_tells_how_exact_a_number_is(text: str, step: int | str) -> None:
    assert read_numbers(text)[0].readings[0].step == Decimal(step)


def test_a_number_keeps_its_place_and_its_spelling() -> None:
    text = "共计１２．３％，即 −1,234 元"
    assert [(number.text, text[number.start : number.end]) for number in read_numbers(text)] == [
        ("１２．３％", "１２．３％"),
        ("−1,234", "−1,234"),
    ]


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("一百零五", 105),
        ("一万二千", 12_000),
        ("三亿五千万", 350_000_000),
        ("一万亿", 10**12),
        ("2亿3456万", 234_560_000),
        ("两千零二十四", 2024),
    ],
)
def test_chinese_numerals_have_their_value(numeral: str, value: int) -> None:
    assert read_numeral(numeral)[0] == value


@pytest.mark.parametrize(
    "text",
    ["9" * 100_000, "一" * 100_000, "1" + "亿" * 50_000, "1," * 50_000, "1e999 2e-999", "." * 50_000, "`" * 50_000],
)
def test_hostile_text_is_read_in_linear_time_and_without_an_error(text: str) -> None:
    results = Results()
    results.add_text(text)
    assert not results.between(Decimal(77), Decimal(78))


def results_of(*texts: str) -> Results:
    results = Results()
    for text in texts:
        results.add_text(text)
    return results


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("mean    0.123456\nmax     9.0", "0.123456"),
        ("share: 12.3%", "0.123"),
        ("share: 12.3%", "12.3"),
        ("total 1,234,567", "1234567"),
        ("[ -1.5e-03  2.]", "-0.0015"),
        ("1.2 million", "1200000"),
        ("总计12万", "120000"),
        ("Urban,120,340\n", "120"),
        ("Urban,120,340\n", "340"),
        ("(8760, 10)", "8760"),
        ("dtype: int64, 5", "5"),
        ("x=3 y=-4", "-4"),
    ],
)
def test_printed_numbers_are_found(printed: str, value: str) -> None:
    assert results_of(printed).between(Decimal(value), Decimal(value))


@pytest.mark.parametrize(
    ("printed", "value"),
    [("12.3", "0.123"), ("1,234", "234"), ("int64", "64"), ("0.5", "-0.5"), ("2024-03", "-3"), ("nan inf", "0")],
)
def test_numbers_that_were_not_printed_are_not_found(printed: str, value: str) -> None:
    assert not results_of(printed).between(Decimal(value), Decimal(value))


def test_cells_are_taken_as_values_and_read_as_text() -> None:
    results = Results()
    results.add_cells([True, None, 7, 0.25, "12.5%", float("nan"), float("inf"), 2**60, "1234567890123456789"])
    present = ["7", "0.25", "12.5", "0.125", str(2**60), "1234567890123456789"]
    assert [value for value in present if not results.between(Decimal(value), Decimal(value))] == []
    assert not results.between(Decimal(1), Decimal(1))
    assert not results.between(Decimal("1234567890123456788"), Decimal("1234567890123456788"))
