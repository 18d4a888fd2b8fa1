"""Which pictures come of matplotlib figures, and of those that a cell saves itself."""

from dataclasses import replace

import pytest

from sandbox.sandbox import ExecutionResult
from tests.inside_fixtures import LIMITS, Box, StartBox, box, no_box_is_left, start_box

__all__ = ["box", "no_box_is_left", "start_box"]

PLT = "import matplotlib.pyplot as plt\n"


def charts(box: Box, code: str) -> list[str]:
    """The names of the charts of a cell that is otherwise silent."""
    result = box.run(PLT + code)
    assert (result.error, result.stderr, result.stdout, result.value) == (None, "", "", "")
    assert all(chart.content.startswith(b"\x89PNG") for chart in result.charts)
    return [chart.name for chart in result.charts]


def notices(result: ExecutionResult) -> str:
    return " ".join(map(str, result.notices))


@pytest.mark.parametrize(
    "end", ["", "plt.show()", "plt.gcf()", "plt.gcf().show()", "display(plt.gcf())", "plt.show(block=False)"]
)
def test_a_plot_is_one_chart_however_it_ends(box: Box, end: str) -> None:
    assert len(charts(box, f"plt.bar(['a', 'b'], [1, 2]); plt.title('T')\n{end}")) == 1


@pytest.mark.parametrize(
    "code",
    [
        "plt.plot([1, 2])",
        "plt.hist([1, 2])",
        "plt.bar([1], [2])",
        "plt.boxplot([1, 2])",
        "plt.subplots()[1].plot([1])",
        "import pandas as pd; pd.DataFrame({'m': [1, 2], 'v': [3, 4]}).plot(kind='bar', x='m')",
        "import pandas as pd; pd.DataFrame({'m': [1, 2], 'v': [3, 4]}).hist()",
        "import seaborn as sns; sns.relplot(x=[1, 2], y=[1, 2])",
        "fig = plt.figure(); fig.text(0.5, 0.5, 'x'); (fig, fig.axes)",
        "from matplotlib.figure import Figure; f = Figure(); f.subplots().plot([1]); f",
    ],
)
def test_what_plotting_hands_back_is_not_shown_as_text(box: Box, code: str) -> None:
    assert len(charts(box, code)) == 1


@pytest.mark.parametrize("code", ["plt.figure()", "plt.subplots(2, 2)", "plt.figure(); plt.savefig('blank.png')"])
def test_blank_figures_are_no_charts(box: Box, code: str) -> None:
    assert charts(box, code) == []


def test_a_saved_figure_is_shown_once(box: Box) -> None:
    assert charts(box, "plt.plot([1, 3, 2]); plt.savefig('a.png'); plt.show(); plt.savefig('b.png')") == ["a.png"]
    assert charts(box, "plt.plot([1, 2]); plt.savefig('c.png', dpi=50); plt.savefig('d.png', dpi=80)") == ["c.png"]
    assert charts(box, "plt.plot([1, 5]); plt.show(); plt.savefig('e.png')") == [charts_name(box, 1)]


def charts_name(box: Box, back: int) -> str:
    """Charts that have no name of their own are numbered through the session."""
    number = int(charts(box, "plt.plot([9, 8])")[0].removeprefix("chart_").removesuffix(".png"))
    return f"chart_{number - back}.png"


def test_a_figure_that_changed_after_it_was_saved_is_shown_again(box: Box) -> None:
    assert len(charts(box, "plt.plot([1, 2]); plt.savefig('a.png'); plt.title('later')")) == 2
    assert charts(box, "plt.plot([1]); plt.savefig('b.png'); plt.clf(); plt.plot([2]); plt.savefig('c.png')") == [
        "b.png",
        "c.png",
    ]


def test_the_same_picture_is_shown_once(box: Box) -> None:
    assert len(charts(box, "for _ in range(3): plt.figure(); plt.plot([1, 2])")) == 1
    code = "import io, shutil\nplt.plot([4]); plt.savefig('x.png'); plt.close(); shutil.copy('x.png', 'y.png');"
    assert charts(box, code) == ["x.png"]


def test_a_chart_saved_elsewhere_or_otherwise_is_shown(box: Box) -> None:
    assert len(charts(box, f"plt.plot([1, 2]); plt.savefig('{box.folder}/tmp/x.png')")) == 1
    result = box.run(
        PLT + "import os; os.makedirs('out'); plt.plot([1, 2])\n"
        "plt.savefig('out/my chart.jpg'); plt.savefig('v.svg'); plt.close('all')"
    )
    assert (len(result.charts), {each.name for each in result.files}) == (1, {"my chart.jpg", "v.svg"})
    code = "import io, base64; b = io.BytesIO(); plt.plot([3]); plt.savefig(b); x = base64.b64encode(b.getvalue())"
    assert len(charts(box, code)) == 1


def test_charts_come_in_the_order_in_which_they_were_begun(box: Box) -> None:
    first = "plt.figure(7); plt.plot([1])\n"
    second = "plt.figure(2); plt.plot([2]); plt.savefig('second.png')\n"
    names = charts(box, first + second + "plt.figure(7); plt.figure(9); plt.plot([3])")
    assert (len(names), names[1]) == (3, "second.png")


def test_dozens_of_figures_are_cut_and_closed(box: Box) -> None:
    result = box.run(PLT + "for i in range(60): plt.figure(); plt.plot([i, 1])")
    assert (len(result.charts), result.stderr) == (LIMITS.charts, "")
    assert "50 more charts are not shown. Draw fewer in one cell." in notices(result)
    assert box.run("plt.get_fignums()").value == "[]"
    assert charts(box, "plt.plot([1, 2])\nfor _ in range(3): plt.show()") != []


def test_show_begins_a_new_figure(box: Box) -> None:
    assert len(charts(box, "plt.plot([1, 2]); plt.show(); plt.hist([1, 2]); plt.show()")) == 2


def test_a_figure_kept_in_a_variable_can_be_shown_later(box: Box) -> None:
    charts(box, "fig, ax = plt.subplots(); ax.plot([1, 2])")
    assert len(charts(box, "ax.set_title('new'); fig")) == 1
    assert len(charts(box, "fig")) == 1
    assert charts(box, "x = 1") == []


@pytest.mark.parametrize("size", ["(8, 1000)", "(2000, 2000)", "(0.1, 500)"])
def test_absurd_sizes_are_scaled_down(box: Box, size: str) -> None:
    result = box.run(PLT + f"plt.figure(figsize={size}); plt.plot([1, 2])")
    assert result.error is None
    width, height = (int.from_bytes(result.charts[0].content[at : at + 4], "big") for at in (16, 20))
    assert 0 < max(width, height) <= LIMITS.chart_pixels


def test_artists_far_outside_do_not_blow_the_picture_up(box: Box) -> None:
    assert len(charts(box, "plt.plot([1, 2]); plt.text(50, 50, 'far')")) == 1


def test_a_saved_picture_that_is_too_large_is_a_file(box: Box) -> None:
    result = box.run(
        PLT + "plt.figure(figsize=(50, 1)); plt.plot([1, 2]); plt.savefig('big.png', dpi=100); plt.close()"
    )
    assert (result.charts, [(each.name, each.kind) for each in result.files]) == ((), [("big.png", "file")])


def test_a_figure_that_cannot_be_drawn_does_not_fail_the_cell(box: Box) -> None:
    result = box.run(PLT + "plt.plot([1]); plt.title('$\\\\frac$'); plt.figure(); plt.plot([2])")
    assert (result.error, len(result.charts)) == (None, 1)
    assert "A chart could not be drawn: ValueError" in notices(result)


def test_pictures_can_be_displayed(box: Box) -> None:
    code = "plt.plot([1, 2]); plt.savefig('a.png'); plt.close()\nfrom IPython.display import Image\n"
    assert charts(box, code + "display(Image('a.png'))") != []
    assert len(charts(box, "from PIL import Image\nImage.new('RGB', (10, 10))")) == 1


def test_charts_that_are_too_heavy_are_drawn_smaller(start_box: StartBox) -> None:
    box = start_box(replace(LIMITS, chart_bytes=30_000))
    code = "import numpy as np\nnoise = np.random.default_rng(1).random((900, 900))\n"
    result = box.run(PLT + code + "plt.figure(figsize=(10, 10)); plt.imshow(noise, cmap='prism')")
    assert result.error is None
    assert all(len(chart.content) <= 30_000 for chart in result.charts)


def test_a_time_out_while_charts_are_drawn_keeps_the_variables(box: Box) -> None:
    code = """
import time
from matplotlib.lines import Line2D
class Slow(Line2D):
    def draw(self, renderer): time.sleep(100)
kept = 1
plt.gca().add_line(Slow([0, 1], [0, 1]))
"""
    result = box.run(PLT + code, timeout=1)
    assert (result.timed_out, result.state_lost) == (True, None)
    assert box.run("kept").value == "1"
    assert charts(box, "plt.plot([1, 2])") != []
