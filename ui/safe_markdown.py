"""Text from outside as Markdown that can neither fetch anything nor turn prices into formulas.

Streamlit does not render raw HTML, but it loads images, draws mermaid diagrams and obeys directives of its own.
"""

import html
import re
from collections.abc import Callable, Iterator

from ui.printable import printable

_HTML_NAMES = (
    "a|abbr|article|aside|audio|b|base|big|blockquote|body|br|button|canvas|center|cite|code|col|dd|del|details|div|dl|dt|"
    "em|embed|fieldset|figcaption|figure|font|footer|form|frame|frameset|h[1-6]|head|header|hr|html|i|iframe|img|input|"
    "ins|kbd|label|legend|li|link|main|map|mark|math|meta|nav|noscript|object|ol|option|p|param|picture|pre|q|s|samp|"
    "section|select|small|source|span|strike|strong|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|"
    "title|tr|track|tt|u|ul|var|video|wbr"
)
_NESTED = r"(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*"
_TOKEN = re.compile(
    rf"""
      \\\[ (?P<block> [^$`]{{1,600}}? ) \\\]
    | \\\( (?P<inline> [^$`\n]{{1,300}}? ) \\\)
    | (?P<kept> \\[!-/:-@\[-`{{-~]
              | (?<!`)(?P<ticks>`+)(?!`) (?:(?!\n[ \t]*\n).)+? (?<!`)(?P=ticks)(?!`)
              | ^[ \t]*\$\$ [^$]+ \$\$[ \t]*$
              | <https?://[^\s<>]+>
              | \bhttps?://[^\s<>`\[\]$|]+ )
    | (?P<hidden> <!--.*?(?:-->|\Z) | <(?P<element>script|style)\b.*?(?:</(?P=element)\s*>|\Z) )
    | </?(?P<tag>{_HTML_NAMES})(?:\s[^<>]*)?/?>
    | !\[{_NESTED}\] (?: \([ \t]*(?P<image>[^()]*(?:\([^()]*\)[^()]*)*)\) | \[[^\[\]]*\] )
    | \[(?P<text>{_NESTED})\]
      \([ \t]* <?(?P<target>[^()<>\s]*(?:\([^()<>\s]*\)[^()<>\s]*)*)>? (?:\s+(?:"[^"]*"|'[^']*'))? [ \t]*\)
    | (?P<literal> ^[ \t>]*\[(?!\^)(?=[^\]\n]+\]:)
                 | \$
                 | (?<!~)~(?!~)
                 | (?<=\w)\*(?=\w)
                 | (?<![\w*])\*\w+\*(?![\w*])
                 | ^[ \t>]*:(?=:)
                 | :(?=[A-Za-z][\w-]*[\[{{])
                 | <(?=[A-Za-z/!?]) )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_FENCE = re.compile(r"^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})([^\n]*)$")
_FENCE_INFO = re.compile(r"(`{3,}|~{3,})([^\n`]+)")
_UNFINISHED = re.compile(r"(?:!?\[[^\[\]\n]*(?:\]\([^()\n]*)?|<[A-Za-z/!][^<>\n]*)\Z")
_WORD_JOINER = "\u2060"


def safe_markdown(text: str, *, image_note: str = "", partial: bool = False) -> str:
    """The text with its formatting; ``image_note`` stands where an image from the net was.

    With ``partial`` the end of the text is still being written, and a link or tag begun there is held back.
    """

    def safe_token(token: re.Match[str]) -> str:
        return _safe_token(token, image_note, safe_token)

    parts = list(_parts(printable(text)))
    if partial and parts and not parts[-1][0]:
        parts[-1] = (False, _UNFINISHED.sub("", parts[-1][1]))
    safe = "\n".join(part if is_code else _TOKEN.sub(safe_token, part) for is_code, part in parts)
    # Whatever the tokens above took for code: nothing may be an image or a diagram to the browser.
    return _FENCE_INFO.sub(_harmless_info, safe).replace("![", f"!{_WORD_JOINER}[")


def escaped(text: str) -> str:
    """The text so that Markdown shows it letter by letter, for example a file name in a label."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", printable(text))


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """The text cut at its code fences, as pairs: is it code, and its lines."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        marks, info = found.groups() if (found := _FENCE.match(line)) else ("", "")
        opens = marks and not fence and not (marks[0] == "`" and "`" in info)
        if opens:
            if lines:
                yield False, "\n".join(lines)
            lines, fence = [line], marks
            continue
        lines.append(line)
        if fence and marks.startswith(fence) and not info.strip():
            yield True, "\n".join(lines)
            lines, fence = [], ""
    if lines:
        yield bool(fence), "\n".join(lines)


def _safe_token(token: re.Match[str], image_note: str, again: Callable[[re.Match[str]], str]) -> str:
    kind = token.lastgroup
    if token["kept"] is not None:
        return token[0]
    if token["block"] is not None:
        return f"\n$$\n{token['block'].strip()}\n$$\n"
    if token["inline"] is not None:
        return f"${token['inline'].strip()}$"
    if token["literal"] is not None:
        return re.sub(r"([\[$~*:<])", r"\\\1", token[0])
    if token["text"] is not None:
        return _safe_link(_TOKEN.sub(again, token["text"]), token["target"])
    if token["tag"] is not None:
        return " " if token["tag"].lower() == "br" else ""
    if kind == "image":
        return image_note if re.match(r"<?(?:https?:)?//", token["image"], re.IGNORECASE) else ""
    return ""


def _safe_link(text: str, target: str) -> str:
    return f"[{text}]({target.replace('$', '%24')})" if re.match(r"https?://", target, re.IGNORECASE) else text


def _harmless_info(fence: re.Match[str]) -> str:
    info = html.unescape(fence[2]).replace("\\", "")
    return f"{fence[1]}text" if "mermaid" in info.lower() else fence[0]
