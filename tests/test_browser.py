"""The whole path in a real browser: page, model's server, Docker sandbox, downloads."""

import hashlib
import os
import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from analysis.sample import STARTER_QUESTIONS
from tests.browser_fixtures import PATIENCE_MS, ROOT, address, browser, model, page
from tests.chat_server import ChatServer, calls, says
from wording import Language

__all__ = ["address", "browser", "model", "page"]

SAMPLE = ROOT / "data" / "traffic_accidents.csv"

DRAWS = """
import hashlib
import matplotlib.pyplot as plt
import pandas as pd

accidents = pd.read_csv("/data/traffic_accidents.csv")
by_area = accidents.groupby("urban_area")["accidents"].mean()
plt.bar(["rural 农村", "urban 城市"], by_area)
plt.title("Accidents an hour")
plt.savefig("areas.png")
print("sha256", hashlib.sha256(open("areas.png", "rb").read()).hexdigest())
by_area.rename("mean").reset_index()
"""
FOLLOWS_UP = 'print("rows", len(accidents), "total", int(accidents["accidents"].sum()))'

FACTORS = """
import matplotlib.pyplot as plt
import pandas as pd

accidents = pd.read_csv("/data/traffic_accidents.csv")
factors = accidents.corr()["accidents"].drop("accidents").sort_values(key=abs)
figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
axes.barh(factors.index, factors, color=["#d1495b" if value > 0 else "#2e86ab" for value in factors])
axes.axvline(0, color="gray", linewidth=0.8)
axes.set_title(TITLE)
factors[::-1].round(2).rename("correlation").rename_axis("factor").reset_index().head(4)
"""
TITLES = {"en": "Correlation with the number of accidents", "zh": "与事故数量的相关系数"}
ANSWERS: dict[Language, str] = {
    "en": "**Traffic itself matters most.** Hours with more vehicles (0.46) and denser traffic (0.44) have more "
    "accidents. Slower speeds go with more accidents (-0.23), because traffic is slow where it is dense.",
    "zh": "**交通量本身影响最大。** 车辆越多（0.46）、车流越密（0.44），事故越多。"
    "车速较低的时段事故反而较多（-0.23），因为车流密集时车速较慢。",
}

pytestmark = [pytest.mark.docker, pytest.mark.browser]


def _upload(page: Page, path: Path) -> None:
    page.locator('input[type="file"]').first.set_input_files(path)
    expect(page.get_by_text(re.compile("8,760 rows")).first).to_be_visible()


def _ask(page: Page, question: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    expect(box).to_be_enabled()
    box.fill(question)
    box.press("Enter")


def _download(page: Page, name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=name).first.click()
    return Path(download.value.path()).read_bytes()


def test_a_person_uploads_asks_sees_the_chart_follows_up_and_downloads_it(
    page: Page, address: str, model: ChatServer, pytestconfig: pytest.Config
) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    model.add(
        calls(DRAWS),
        says("In cities there are **more accidents**. ![x](https://evil.example/leak.png) It cost $5 and $7."),
        calls(FOLLOWS_UP),
        says("The file has 8,760 rows."),
    )
    _upload(page, SAMPLE)
    _ask(page, "Do cities have more accidents?")
    expect(page.get_by_text("more accidents").last).to_be_visible()
    expect(page.get_by_text("It cost $5 and $7.")).to_be_visible()
    chart = page.get_by_role("img", name=re.compile("areas"))
    expect(chart).to_have_count(1)
    expect(page.get_by_test_id("stDataFrame").last).to_be_visible()

    _ask(page, "How many rows are there?")
    expect(page.get_by_text("The file has 8,760 rows.")).to_be_visible()
    told = model.requests[3]["messages"][-1]["content"]
    assert "rows 8760 total" in told

    content = _download(page, "areas.png")
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert f"sha256 {hashlib.sha256(content).hexdigest()}" in model.requests[1]["messages"][-1]["content"]
    expect(chart).to_have_count(1)

    page.reload()
    expect(page.get_by_text("The file has 8,760 rows.")).to_be_visible()
    assert [url for url in requests if not url.startswith((address, "data:", "blob:"))] == []


def test_stop_ends_code_that_runs_for_ever_and_the_next_question_works(page: Page, model: ChatServer) -> None:
    model.add(calls("while True: pass"), calls("print(6 * 7)"), says("It is 42."))
    _upload(page, SAMPLE)
    _ask(page, "Run for ever")
    expect(page.get_by_text(re.compile("running"))).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile("stopped", re.IGNORECASE)).first).to_be_visible()
    _ask(page, "Six times seven?")
    expect(page.get_by_text("It is 42.")).to_be_visible()


@pytest.mark.parametrize(("language", "locale", "theme"), [("en", "en-US", "light"), ("zh", "zh-CN", "dark")])
def test_a_starter_question_is_answered_in_the_language_of_the_browser(
    browser: Browser, address: str, model: ChatServer, language: Language, locale: str, theme: Literal["light", "dark"]
) -> None:
    """With ``SCREENSHOTS`` set to a folder, the pictures of the READMEs are made on the way."""
    question = STARTER_QUESTIONS[language][0]
    model.add(calls(FACTORS.replace("TITLE", repr(TITLES[language]))), says(ANSWERS[language]))
    context = browser.new_context(viewport={"width": 1280, "height": 1090}, locale=locale, color_scheme=theme)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    page.get_by_role("button", name=question).click()
    expect(page.get_by_text(ANSWERS[language][-20:])).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("chart"))).to_be_visible()
    expect(page.get_by_test_id("stDataFrame").last).to_be_visible()
    expect(page.get_by_text({"en": "done in", "zh": "已完成"}[language])).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    if folder := os.environ.get("SCREENSHOTS"):
        page.mouse.move(0, 0)
        page.screenshot(path=Path(folder, f"screenshot.{locale}.png".replace(".en-US", "")))
    context.close()
