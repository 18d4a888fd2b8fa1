"""The sample data holds what its dictionary promises, and the starter questions have answers in it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.sample import SAMPLE_DICTIONARY, SAMPLE_FILE, STARTER_QUESTIONS

RANGES = {
    "accidents": (0, 30),
    "traffic_fine_amount": (50, 500),
    "traffic_density": (0, 10),
    "traffic_lights": (0, 1),
    "pavement_quality": (0, 5),
    "urban_area": (0, 1),
    "average_speed": (5, 140),
    "rain_intensity": (0, 3),
    "vehicle_count": (0, 10),
    "time_of_day": (0, 24),
}


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return pd.read_csv(SAMPLE_FILE)


def test_the_script_makes_the_file_again_byte_for_byte(tmp_path: Path) -> None:
    script = SAMPLE_FILE.with_name("make_traffic_accidents.py")
    subprocess.run([sys.executable, str(script), str(tmp_path / "again.csv")], check=True)
    assert (tmp_path / "again.csv").read_bytes() == SAMPLE_FILE.read_bytes()


def test_each_hour_of_a_year_has_a_row_with_possible_values(table: pd.DataFrame) -> None:
    assert list(table.columns) == list(RANGES)
    assert len(table) == 8_760
    assert table.isna().sum().sum() == 0
    outside = {name: int((~table[name].between(low, high)).sum()) for name, (low, high) in RANGES.items()}
    assert outside == dict.fromkeys(RANGES, 0)
    assert table["time_of_day"].astype(int).tolist() == [hour % 24 for hour in range(8_760)]
    assert set(table["urban_area"]) == {0, 1}
    assert table["accidents"].dtype == table["traffic_fine_amount"].dtype == "int64"


def test_each_factor_has_its_effect_when_the_others_are_held_fixed(table: pd.DataFrame) -> None:
    factors = table.drop(columns=["accidents", "time_of_day", "vehicle_count"])
    matrix = np.column_stack([np.ones(len(table)), ((factors - factors.mean()) / factors.std()).to_numpy()])
    weights = np.linalg.lstsq(matrix, table["accidents"].to_numpy(), rcond=None)[0][1:]
    effect = dict(zip(factors.columns, weights.tolist(), strict=True))
    expected = {
        "traffic_fine_amount": 0.0,  # fines work through speed, which is held fixed here
        "traffic_density": 1.24,
        "traffic_lights": -0.56,
        "pavement_quality": -0.37,
        "urban_area": 1.99,
        "average_speed": 1.55,
        "rain_intensity": 0.40,
    }
    assert effect == pytest.approx(expected, abs=0.03)


def test_higher_fines_lower_speed_and_accidents_with_diminishing_returns(table: pd.DataFrame) -> None:
    bands = table.groupby(pd.cut(table["traffic_fine_amount"], [0, 100, 200, 300, 400, 500]), observed=True)
    accidents = bands["accidents"].mean().tolist()
    assert accidents == pytest.approx([3.04, 2.57, 2.22, 2.21, 2.14], abs=0.01)
    assert accidents[0] - accidents[2] > 5 * (accidents[2] - accidents[4])
    speeds = bands["average_speed"].mean()
    assert speeds.iloc[0] - speeds.iloc[-1] == pytest.approx(11.4, abs=0.5)
    assert table["traffic_fine_amount"].corr(table["average_speed"]) == pytest.approx(-0.16, abs=0.005)
    assert table["traffic_fine_amount"].corr(table["accidents"]) == pytest.approx(-0.14, abs=0.005)
    unrelated = table[["traffic_density", "pavement_quality", "urban_area", "rain_intensity"]]
    assert unrelated.corrwith(table["traffic_fine_amount"]).abs().max() < 0.02


def test_towns_rush_hours_and_rain_are_dangerous(table: pd.DataFrame) -> None:
    by_area = table.groupby("urban_area")["accidents"].mean()
    assert by_area.round(2).tolist() == [1.99, 2.71]
    by_hour = table.groupby(table["time_of_day"].astype(int))["accidents"].mean()
    assert by_hour.nlargest(2).index.tolist() == [17, 16]
    wet, dry = table[table["rain_intensity"] > 1], table[table["rain_intensity"] == 0]
    assert wet["accidents"].mean() / dry["accidents"].mean() == pytest.approx(1.35, abs=0.15)


def test_the_dictionary_explains_every_column_in_both_languages() -> None:
    for path in SAMPLE_DICTIONARY.values():
        text = path.read_text(encoding="utf-8")
        assert [name for name in RANGES if f"- {name}" not in text] == []


def test_both_languages_offer_the_same_number_of_questions() -> None:
    assert {language: len(questions) for language, questions in STARTER_QUESTIONS.items()} == {"en": 5, "zh": 5}
