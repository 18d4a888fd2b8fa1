"""Makes traffic_accidents.csv, invented numbers with real dependencies, the same bytes on every machine.

Standard library alone; of ``random`` only ``Random.random`` is used, whose sequence Python promises to keep.
Run ``python data/make_traffic_accidents.py [FILE]``.
"""

import csv
import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import NormalDist

HOURS = 8_760
SEED = 20_240_101
COLUMNS = (
    "accidents",
    "traffic_fine_amount",
    "traffic_density",
    "traffic_lights",
    "pavement_quality",
    "urban_area",
    "average_speed",
    "rain_intensity",
    "vehicle_count",
    "time_of_day",
)
Row = tuple[float, ...]

_random = random.Random(SEED)  # noqa: S311 - a repeatable sequence is the point
_NORMAL = NormalDist()


def _normal(mean: float, deviation: float, low: float, high: float) -> float:
    """A normal number that stays within its bounds."""
    uniform = min(max(_random.random(), 1e-12), 1 - 1e-12)
    return float(min(max(mean + deviation * _NORMAL.inv_cdf(uniform), low), high))


def _poisson(mean: float) -> int:
    """How often something with that mean happened."""
    uniform, count, probability = _random.random(), 0, math.exp(-mean)
    while uniform > probability and count < 1_000:
        uniform -= probability
        count += 1
        probability *= mean / count
    return count


def rain() -> Iterator[float]:
    """Rain hour by hour: it lasts for some hours, and falls more often in winter."""
    intensity = 0.0
    for hour in range(HOURS):
        winter = (1 + math.cos(2 * math.pi * hour / HOURS)) / 2
        if intensity > 0 and _random.random() < 0.22:
            intensity = 0.0
        elif intensity > 0:
            intensity = _normal(intensity, 0.3, 0.05, 3)
        elif _random.random() < 0.03 + 0.06 * winter:
            intensity = _normal(0.9, 0.6, 0.05, 3)
        yield intensity


def demand(hour: int, time: float) -> float:
    """Share of the busiest traffic: two rush hours on working days, one broad afternoon at the weekend."""
    if hour // 24 % 7 >= 5:
        return 0.12 + 0.5 * math.exp(-(((time - 15) / 4.5) ** 2))
    morning = math.exp(-(((time - 8) / 1.6) ** 2))
    evening = math.exp(-(((time - 17.5) / 2.1) ** 2))
    midday = 0.45 * math.exp(-(((time - 13) / 4.5) ** 2))
    return 0.08 + 0.75 * max(morning, evening) + 0.38 * midday


def observe(hour: int, rain_intensity: float) -> Row:
    """One road section in one hour of the year, in the order of ``COLUMNS``."""
    time = hour % 24 + _random.random()
    urban = _random.random() < 0.55
    # The authority sets fines by region, whatever the road is like, so that they can be compared fairly.
    fine = 50 + 10 * int(46 * _random.random())
    lights = _normal(0.62 if urban else 0.22, 0.16, 0, 1)
    pavement = _normal(3.4 if urban else 2.9, 0.9, 0, 5)
    vehicles = demand(hour, time) * (4.2 if urban else 2.0) * _normal(1, 0.18, 0.4, 1.6)
    density = _normal(10 * (1 - math.exp(-vehicles / (2.1 if urban else 1.7))), 0.6, 0, 10)
    # What a fine achieves levels off: most of it is reached near 250 dollars.
    obedience = 1 - math.exp(-(fine - 50) / 90)
    free_speed = (58 if urban else 96) - 16 * obedience + 1.6 * (pavement - 3)
    speed = _normal(free_speed - 2.4 * density - 3.5 * rain_intensity, 4, 5, 140)
    night = time < 5 or time >= 22
    risk = (
        -2.4
        + 0.24 * density
        + 0.30 * rain_intensity
        + 0.030 * speed
        - 0.9 * lights
        - 0.17 * (pavement - 3)
        + (1.6 if urban else 0)
        + 0.06 * vehicles
        + (0.4 if night else 0)
    )
    values = (
        fine,
        density,
        lights,
        pavement,
        int(urban),
        speed,
        rain_intensity,
        vehicles,
        math.floor(time * 100) / 100,
    )
    digits = (0, 2, 2, 2, 0, 1, 2, 3, 2)
    rounded = (round(value, places or None) for value, places in zip(values, digits, strict=True))
    return (_poisson(math.exp(risk)), *rounded)


def main(path: Path) -> None:
    weather = list(rain())
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(observe(hour, weather[hour]) for hour in range(HOURS))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("traffic_accidents.csv"))
