"""Runs when libraries have been installed: lets matplotlib draw every script, whatever fonts a style or model asks for.

Without an argument it does so in the image, with ``machine`` in an environment of this machine, with the fonts found.

A ``matplotlibrc`` alone would not do: ``seaborn.set_theme()`` and many styles replace its families. So each look-up of
a font ends with the fonts of this image, and the list of all fonts is baked.
"""

import dataclasses
import shutil
import sys
from pathlib import Path

from matplotlib import font_manager, get_data_path

FONT_LIST = Path("/opt/fonts/fontlist.json")
# In the order of preference: WenQuanYi draws Chinese in its simplified forms, Unifont is the last resort.
FONT_FILES = ("wqy-microhei.ttc", "Symbola_hint.ttf", "unifont.otf", "unifont_upper.otf")
# What a machine may have instead of the first.
OTHER_FONT_FILES = ("NotoSansCJK-Regular.ttc", "NotoSansCJKsc-Regular.otf", "DroidSansFallbackFull.ttf")
# All other names that are not in the image, such as Arial or SimHei, end in DejaVu Sans and then in the files above.
ALIASES = {
    "DejaVu Serif": ("Times New Roman", "Times", "Georgia", "Cambria", "Liberation Serif"),
    "DejaVu Sans Mono": ("Courier New", "Courier", "Consolas", "Menlo", "Liberation Mono"),
}
ADDITION = """

# Added to the original: a look-up ends with the fonts that draw all scripts, so no missing family is worth a warning.
_log.setLevel(logging.ERROR)
_find_named_fonts = FontManager._find_fonts_by_props


def _find_fonts_with_fallbacks(self, prop, fontext="ttf", *args, **kwargs):
    found = _find_named_fonts(self, prop, fontext, *args, **kwargs)
    return found + [font for font in FALLBACKS if font not in found] if fontext == "ttf" else found


FALLBACKS = [FontPath(path, 0) for path in @PATHS@]
FontManager._find_fonts_by_props = _find_fonts_with_fallbacks
"""


def bake_font_list(fonts: list[str]) -> None:
    manager = font_manager.FontManager()
    manager.ttflist = [entry for entry in manager.ttflist if "/matplotlib/" in entry.fname]
    for font in fonts:
        manager.addfont(font)
    for family, names in ALIASES.items():
        faces = [entry for entry in manager.ttflist if entry.name == family]
        manager.ttflist += [dataclasses.replace(face, name=name) for name in names for face in faces]
    font_manager.json_dump(manager, FONT_LIST)


def extend_matplotlib(fonts: list[str]) -> None:
    module = Path(font_manager.__file__)
    source = module.read_text()
    cache = 'mpl.get_cachedir(), f"fontlist-v{FontManager.__version__}.json"'
    if source.count(cache) != 1:
        sys.exit("This matplotlib keeps its list of fonts elsewhere; chart_fonts.py must learn where.")
    module.write_text(source.replace(cache, repr(str(FONT_LIST))) + ADDITION.replace("@PATHS@", repr(fonts)))


def extend_matplotlib_here() -> None:
    """Copies become matplotlib's own, because it finds those wherever its folder is seen from a sandbox."""
    found = {Path(file).name: file for file in font_manager.findSystemFonts()}
    names = [name for name in (*FONT_FILES, *OTHER_FONT_FILES) if name in found]
    for name in names:
        shutil.copy(found[name], Path(get_data_path(), "fonts", "ttf", name))
    paths = f'[str(cbook._get_data_path("fonts", "ttf", name)) for name in {names!r}]'
    with Path(font_manager.__file__).open("a", encoding="utf-8") as module:
        module.write(ADDITION.replace("@PATHS@", paths))


if __name__ == "__main__" and sys.argv[1:] == ["machine"]:
    extend_matplotlib_here()
elif __name__ == "__main__":
    files = [str(FONT_LIST.parent / name) for name in FONT_FILES]
    bake_font_list(files)
    extend_matplotlib(files)
