"""Runs while the image is built: lets matplotlib draw every script, whatever fonts a style or a model asks for.

A ``matplotlibrc`` alone would not do: ``seaborn.set_theme()`` and many styles replace its families. So each look-up of
a font ends with the fonts of this image, names that generated code likes are aliases, and the list of fonts is baked.
"""

import dataclasses
import sys
from pathlib import Path

from matplotlib import font_manager

FONT_LIST = Path("/opt/fonts/fontlist.json")
# In the order of preference: WenQuanYi draws Chinese in its simplified forms, Unifont is the last resort.
FONT_FILES = ("wqy-microhei.ttc", "Symbola_hint.ttf", "unifont.otf", "unifont_upper.otf")

ALIASES = {
    "WenQuanYi Micro Hei": (
        "SimHei, Microsoft YaHei, Microsoft JhengHei, SimSun, NSimSun, KaiTi, FangSong, Heiti SC, Heiti TC, STHeiti, STSong,"
        "Songti SC, PingFang SC, PingFang TC, PingFang HK, Hiragino Sans GB, Source Han Sans SC, Source Han Sans CN,"
        "Noto Sans CJK SC, Noto Sans CJK TC, Noto Sans CJK JP, Noto Sans CJK KR, Noto Sans SC, Noto Sans TC, Noto Sans JP,"
        "Noto Sans KR, WenQuanYi Zen Hei, Droid Sans Fallback, Arial Unicode MS, MS Gothic, MS PGothic, Yu Gothic, Meiryo,"
        "Hiragino Sans, Hiragino Maru Gothic Pro, IPAGothic, IPAPGothic, IPAexGothic, TakaoGothic, TakaoPGothic, VL Gothic,"
        "Malgun Gothic, NanumGothic, NanumBarunGothic, AppleGothic, Apple SD Gothic Neo, Gulim, Dotum, Batang"
    ),
    "DejaVu Sans": (
        "Arial, Helvetica, Helvetica Neue, Verdana, Tahoma, Trebuchet MS, Calibri, Segoe UI, Liberation Sans, Roboto,"
        "Open Sans, Lato, Inter, Noto Sans, Noto Sans Arabic, Ubuntu, Bitstream Vera Sans, Comic Sans MS"
    ),
    "DejaVu Serif": "Times New Roman, Times, Georgia, Cambria, Garamond, Palatino, Liberation Serif, Noto Serif",
    "DejaVu Sans Mono": "Courier New, Courier, Consolas, Menlo, Monaco, Liberation Mono, Noto Sans Mono",
    "Symbola": "Segoe UI Emoji, Segoe UI Symbol, Apple Color Emoji, Noto Color Emoji, Noto Emoji, Twemoji",
}

ADDITION = """

# Added to this image: a look-up ends with the fonts that draw all other scripts.
_find_named_fonts = FontManager._find_fonts_by_props


def _find_fonts_with_fallbacks(self, prop, fontext="ttf", *args, **kwargs):
    found = _find_named_fonts(self, prop, fontext, *args, **kwargs)
    return found + [font for font in FALLBACKS if font not in found] if fontext == "ttf" else found


FALLBACKS = [FontPath(path, 0) for path in {paths!r}]
FontManager._find_fonts_by_props = _find_fonts_with_fallbacks
"""


def bake_font_list(fonts: list[str]) -> None:
    manager = font_manager.FontManager()
    manager.ttflist = [entry for entry in manager.ttflist if "/matplotlib/" in entry.fname]
    for font in fonts:
        manager.addfont(font)
    for family, names in ALIASES.items():
        own = [entry for entry in manager.ttflist if entry.name == family]
        if not own:
            sys.exit(f"The font {family} is missing from the image.")
        for name in names.split(","):
            manager.ttflist += [dataclasses.replace(entry, name=name.strip()) for entry in own]
    font_manager.json_dump(manager, FONT_LIST)


def extend_matplotlib(fonts: list[str]) -> None:
    module = Path(font_manager.__file__)
    source = module.read_text()
    cache = 'mpl.get_cachedir(), f"fontlist-v{FontManager.__version__}.json"'
    if source.count(cache) != 1:
        sys.exit("This matplotlib keeps its list of fonts elsewhere; chart_fonts.py must learn where.")
    module.write_text(source.replace(cache, repr(str(FONT_LIST))) + ADDITION.replace("{paths!r}", repr(fonts)))


if __name__ == "__main__":
    files = [str(FONT_LIST.parent / name) for name in FONT_FILES]
    bake_font_list(files)
    extend_matplotlib(files)
