"""How likely bytes are text in a given encoding: by the letters that languages written in it use."""

import re
from collections import Counter

LABELS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "gb18030": "GB18030",
    "big5hkscs": "Big5",
    "cp932": "Shift JIS",
    "euc_jp": "EUC-JP",
    "cp949": "EUC-KR",
    "koi8-r": "KOI8-R",
    "cp850": "DOS 850",
    "cp866": "DOS 866",
    "mac_roman": "Mac Roman",
    "latin-1": "Latin-1",
    **{f"cp125{n}": f"Windows-125{n}" for n in range(8)},
    "cp874": "Windows-874",
}

MULTIBYTE = ("gb18030", "cp932", "euc_jp", "cp949", "big5hkscs")
_COMMON = {"gb18030": "gb2312", "cp932": "cp932", "euc_jp": "euc_jp", "cp949": "euc_kr", "big5hkscs": "big5"}
_FREQUENT_LEADS = {
    "gb18030": ((0xA1, 0xA9), (0xB0, 0xD7)),
    "cp932": ((0x82, 0x83), (0x88, 0x98)),
    "euc_jp": ((0xA4, 0xA5), (0xB0, 0xCF)),
    "cp949": ((0xB0, 0xC8),),
    "big5hkscs": ((0xA4, 0xC6),),
}
"""Lead bytes of the everyday characters (first level of each standard, kana, hangul, signs)."""
_FREQUENT_HANZI = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法"
    "学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日期月号编名称姓性别男女数量单价金额总计址省市区县电话类型状态备"
    "注间销售产品城口公司门合均北京南东西州海江山湖广张王李刘陈收入支出比率"
)
"""So frequent in Chinese tables that other languages' bytes hit them only by chance."""


def _both_cases(letters: str) -> str:
    return letters + letters.upper()


_CYRILLIC = _both_cases("абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґў") + "№"
_WESTERN = (
    _both_cases("äöü") + "ß",
    _both_cases("éèêëàâçîïôùûüÿœæ"),
    _both_cases("áéíóúñü") + "ªº¿¡",
    _both_cases("ãõáâàçéêíóôúü") + "ªº",
    _both_cases("àèéìíòóùú"),
    _both_cases("æøåéöäü"),
)
_CENTRAL = (
    _both_cases("ąćęłńóśźż"),
    _both_cases("áčďéěíňóřšťúůýžľĺŕôä"),
    _both_cases("áéíóöőúüű"),
    _both_cases("čćđšž"),
    _both_cases("ăâîșțşţ"),
)
SINGLE_BYTE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("cp1252", _WESTERN),
    ("cp1250", _CENTRAL),
    ("cp1255", ("אבגדהוזחטיךכלםמןנסעףפץצקרשת",)),
    ("cp1251", (_CYRILLIC,)),
    ("cp1253", (_both_cases("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"),)),
    ("cp1254", (_both_cases("çğöşüâî") + "ıİ",)),
    ("cp1256", ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْپچژگ",)),
    ("cp1257", (_both_cases("ąčęėįšųūžāēģīķļņõäöü"),)),
    ("koi8-r", (_CYRILLIC,)),
    ("cp874", ("".join(map(chr, (*range(0x0E01, 0x0E3B), *range(0x0E3F, 0x0E5C)))),)),
    ("cp866", (_CYRILLIC,)),
    ("cp850", _WESTERN),
    ("mac_roman", _WESTERN),
    ("cp1252", (_both_cases("áðéíóúýþæö"),)),
)
"""What each language adds to ASCII; where several explain a text equally well, the earlier is meant."""
_SIGNS = frozenset("€£¥§©®°±²³µ·¼½¾×÷–—‘’“”„‚…•™«»‹›\xa0")
_FIRST_NOT_LATIN = "\u0370"
_STRANGE = re.compile(r"(?=(.?)([^\x00-\x7f])(.?))", re.DOTALL)


def multibyte_plausibility(evidence: bytes, encoding: str) -> float:
    """From 0, impossible, to 1, every character beyond ASCII is an everyday one."""
    seen = Counter(char for char in _decoded(evidence, encoding) if char > "\x7f")
    points = sum(count * _everyday(char, encoding) for char, count in seen.items())
    return points / max(seen.total(), 1)


def is_plainly_chinese(evidence: bytes) -> bool:
    """Whether the bytes, as GB18030, hold many of the most frequent Chinese characters."""
    chars = [char for char in _decoded(evidence, "gb18030") if char > "\x7f"]
    return sum(char in _FREQUENT_HANZI for char in chars) > 0.25 * len(chars) > 0


def single_byte_plausibility(evidence: bytes, encoding: str, languages: tuple[str, ...]) -> float:
    """From 0, impossible, to 1, every character beyond ASCII belongs to one of the languages."""
    seen = Counter(match.groups() for match in _STRANGE.finditer(" " + _decoded(evidence, encoding)))
    points = (
        sum(count for (before, char, after), count in seen.items() if _fits(before, char, after, letters))
        for letters in languages
    )
    return max(points) / max(seen.total(), 1)


def _decoded(evidence: bytes, encoding: str) -> str:
    try:
        return evidence.decode(encoding)
    except UnicodeDecodeError:
        return ""


def _fits(before: str, char: str, after: str, letters: str) -> bool:
    """Letters of the language with sensible case; signs stand at the rim of words, but for apostrophe and dash."""
    if char in _SIGNS:
        return char in "’–—" or not (before.isalpha() and after.isalpha())
    if char not in letters or (char.isupper() and before.islower()):
        return False
    latin_letter_beside = (before + after).isascii() and (before.isalpha() or after.isalpha())
    return char < _FIRST_NOT_LATIN or not latin_letter_beside


def _everyday(char: str, encoding: str) -> float:
    if char < "\u0250" and encoding == "gb18030":
        return 1.0
    if "\uff61" <= char <= "\uff9f":
        return 0.5
    if char in "，。、；：（）《》「」“”‘’！？￥·…—　":
        return 1.0
    try:
        lead = char.encode(_COMMON[encoding])[0]
    except UnicodeEncodeError:
        return 0.1
    return 1.0 if any(low <= lead <= high for low, high in _FREQUENT_LEADS[encoding]) else 0.6
