"""Small tables of different kinds, invented with a fixed seed, and profiles of them as the sandbox would give."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sandbox.sandbox import Cell, ColumnProfile, FileProfile, TableProfile


def sales() -> pd.DataFrame:
    """A shop chain's sales, Chinese throughout: two and a half years of days, rising, with a season."""
    random = np.random.default_rng(1)
    dates = pd.date_range("2022-01-01", "2024-06-12", freq="D")
    count = len(dates) * 2
    date = np.repeat(dates, 2)
    season = 1 + 0.3 * np.sin(2 * np.pi * pd.DatetimeIndex(date).month.to_numpy() / 12)
    amount = (800 + 0.5 * np.arange(count) / 2) * season * random.normal(1, 0.1, count)
    return pd.DataFrame(
        {
            "订单编号": np.arange(10001, 10001 + count),
            "销售日期": date,
            "门店": random.choice(["北京店", "上海店", "广州店"], count, p=[0.5, 0.3, 0.2]),
            "产品类别": random.choice(["家电", "服装", "食品", "图书"], count),
            "销售额": amount.round(2),
            "数量": random.poisson(5, count) + 1,
            "是否会员": random.integers(0, 2, count),
        }
    )


def survey() -> pd.DataFrame:
    """Employees asked how content they are; salary and years raise it, a long way to work lowers it."""
    random = np.random.default_rng(2)
    count = 300
    frame = pd.DataFrame(
        {
            "respondent_id": [f"R{number:04d}" for number in range(count)],
            "Gender": random.choice(["female", "male"], count),
            "Department": random.choice(["Sales", "IT", "HR"], count),
            "age": random.integers(20, 65, count),
            "salary": random.normal(4000, 800, count).round(0),
            "commute_minutes": random.gamma(4, 9, count).round(0),
            "remote work": random.choice([True, False], count),
        }
    )
    mood = 3 + (frame["salary"] - 4000) / 1000 - (frame["commute_minutes"] - 36) / 30 + random.normal(0, 0.5, count)
    frame["satisfaction"] = mood.round().clip(1, 5).astype(int)
    frame["would_leave"] = np.where(frame["satisfaction"] + random.normal(0, 0.8, count) < 2.6, "yes", "no")
    frame["comment"] = [f"Remark number {number}, nothing else" for number in range(count)]
    return frame


def web_log() -> pd.DataFrame:
    """Three days of requests: busier by day, one slow page, a few errors."""
    random = np.random.default_rng(3)
    count = 2000
    hours = random.choice(72, count, p=_by_day(72))
    when = pd.Timestamp("2025-03-01") + pd.to_timedelta(hours * 3600 + random.integers(0, 3600, count), unit="s")
    page = random.choice(["/home", "/search", "/cart", "/help"], count, p=[0.4, 0.3, 0.2, 0.1])
    return pd.DataFrame(
        {
            "timestamp": np.sort(when),
            "ip": [f"10.0.{random.integers(0, 255)}.{random.integers(0, 255)}" for _ in range(count)],
            "path": page,
            "status": random.choice([200, 404, 500], count, p=[0.9, 0.07, 0.03]),
            "response_ms": (random.gamma(2, 40, count) * np.where(page == "/search", 3, 1)).round(1),
            "bytes": random.integers(200, 50_000, count),
        }
    )


def _by_day(hours: int) -> list[float]:
    weights = [1 + math.sin(math.pi * (hour % 24) / 24) for hour in range(hours)]
    return [weight / sum(weights) for weight in weights]


def prices() -> pd.DataFrame:
    """Flats on offer, with gaps, blanks, odd spellings, repeated rows and a few absurd prices."""
    random = np.random.default_rng(4)
    count = 400
    area = random.normal(75, 20, count).clip(20).round(0)
    frame = pd.DataFrame(
        {
            "City": random.choice(["Berlin", "berlin ", "Munich", "Hamburg"], count, p=[0.4, 0.05, 0.25, 0.3]),
            "Living Area": area,
            "Rooms": (area / 25).round().clip(1, 6).astype(int),
            "Price (EUR)": (area * 5000 * random.normal(1, 0.15, count)).round(-2),
            "Energy class": random.choice(["A", "B", "C", "N/A"], count),
            "year_built": random.integers(1900, 2024, count),
        }
    )
    frame.loc[random.choice(count, 60, replace=False), "Price (EUR)"] = np.nan
    frame.loc[random.choice(count, 25, replace=False), "Living Area"] = np.nan
    frame.loc[[3, 77], "Price (EUR)"] = [9_900_000, 12_500_000]
    return pd.concat([frame, frame.iloc[:5]], ignore_index=True)


def identifiers() -> pd.DataFrame:
    """Nothing but identifiers and names: there is no measure at all."""
    count = 60
    return pd.DataFrame(
        {
            "customer_id": range(1, count + 1),
            "phone": [f"0170{number:07d}" for number in range(count)],
            "name": [f"Person {number}" for number in range(count)],
            "country": ["France", "Spain", "Italy"] * (count // 3),
        }
    )


def pairs() -> pd.DataFrame:
    """The smallest of tables, with names of one letter."""
    return pd.DataFrame({"x": [1, 2, 3, 4, 5, 6, 7, 8], "y": [2.1, 3.9, 6.2, 7.8, 10.1, 12.2, 13.8, 16.1]})


@dataclass(frozen=True, slots=True)
class SmallTable:
    """A table as a file, its profile and its data for comparison."""

    data: pd.DataFrame
    profile: FileProfile


def written(name: str, data: pd.DataFrame, folder: Path, variable: str = "df") -> SmallTable:
    """Write it as CSV; the recipe reads it from there."""
    path = folder / f"{name}.csv"
    data.to_csv(path, index=False)
    return SmallTable(data, _profile(path, variable, data))


def _profile(path: Path, variable: str, data: pd.DataFrame) -> FileProfile:
    kinds = {column: _type(data[column]) for column in data}
    dates = [column for column, kind in kinds.items() if kind == "date"]
    texts = {column: "str" for column, kind in kinds.items() if kind == "text"}
    rest = f'parse_dates={dates!r}, dtype={texts!r}, keep_default_na=False, na_values=[""]'
    recipe = f"{variable} = pd.read_csv({str(path)!r}, {rest})"
    columns = tuple(_column(str(column), data[column]) for column in data)
    sample = tuple(tuple(_cell(value) for value in row) for row in data.head(5).itertuples(index=False))
    table = TableProfile(variable=variable, rows=len(data), columns=columns, recipe=recipe, sample=sample)
    return FileProfile(name=path.name, size=path.stat().st_size, tables=(table,))


def _column(name: str, values: "pd.Series[Any]") -> ColumnProfile:
    kind = _type(values)
    present = values.dropna()
    ends = (None, None) if kind == "text" or present.empty else (present.min(), present.max())
    return ColumnProfile(
        name=name,
        type=kind,
        missing=int(values.isna().sum()),
        distinct=int(values.nunique()),
        minimum=_cell(ends[0]),
        maximum=_cell(ends[1]),
        top=tuple((_cell(value), int(count)) for value, count in present.value_counts().head(20).items()),
    )


def _type(values: "pd.Series[Any]") -> str:
    checks: tuple[tuple[str, Callable[[Any], bool]], ...] = (
        ("empty", lambda each: bool(values.isna().all())),
        ("boolean", pd.api.types.is_bool_dtype),
        ("integer", pd.api.types.is_integer_dtype),
        ("number", pd.api.types.is_numeric_dtype),
        ("date", pd.api.types.is_datetime64_any_dtype),
    )
    return next((kind for kind, check in checks if check(values)), "text")


def _cell(value: object) -> Cell:
    if value is None or value is pd.NaT or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, pd.Timestamp):
        return str(value)
    return value.item() if isinstance(value, np.generic) else value  # type: ignore[return-value]


TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "sales": sales,
    "survey": survey,
    "web_log": web_log,
    "prices": prices,
    "identifiers": identifiers,
    "pairs": pairs,
}
_DATA = Path(__file__).resolve().parent.parent / "data"


def traffic() -> SmallTable:
    """The sample that comes with the app, as it lies there."""
    path = _DATA / "traffic_accidents.csv"
    data = pd.read_csv(path)
    return SmallTable(data, _profile(path, "traffic_accidents", data))


def traffic_dictionary(language: str = "en") -> str:
    name = "traffic_accidents_dictionary.md" if language == "en" else "traffic_accidents_dictionary.zh.md"
    return (_DATA / name).read_text(encoding="utf-8")
