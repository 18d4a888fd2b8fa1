"""Printed text comes out as a terminal would leave it, with nothing in it that acts."""

from ui.printable import printable, shortened


def test_colours_and_titles_of_a_terminal_are_dropped() -> None:
    assert printable("\x1b[31mred\x1b[0m \x1b]0;title\x07end\x1b[2J") == "red end"


def test_a_progress_bar_shows_its_last_state() -> None:
    assert printable("10%\r50%\r100%\ndone\r\n") == "100%\ndone\n"


def test_controls_and_reordering_become_visible() -> None:
    assert printable("a\0b\x7f\u202ec\u2066") == "a\u2400b\u2421\\u202ec\\u2066"


def test_lone_surrogates_are_replaced() -> None:
    assert printable("a\ud800b").encode() == b"a\xef\xbf\xbdb"


def test_tabs_and_other_scripts_stay() -> None:
    assert printable("北京\té 👩‍🔬") == "北京\té 👩‍🔬"


def test_a_long_text_keeps_its_head_and_tail() -> None:
    assert shortened("abcdefghij", 4) == ("ab\n…\nij", 6)
    assert shortened("abcd", 4) == ("abcd", 0)
