"""Reads numbers written with Chinese numerals, alone or mixed with digits: 三千五百, 1亿2000万, 一点二."""

import re
from decimal import Decimal

DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
PLACES = {"十": Decimal(10), "百": Decimal(100), "千": Decimal(1000)}
GROUPS = {"万": Decimal(10**4), "亿": Decimal(10**8)}
_TOKEN = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?|点[零〇一二三四五六七八九]+|.")


def read_numeral(text: str) -> tuple[Decimal, Decimal]:
    """Its value and the weight of the last place that it names: 一百二十万 gives 1,200,000 and 100,000.

    ``text`` holds nothing but numerals, digits and the signs 十百千万亿点.
    """
    total = section = Decimal(0)
    digit: Decimal | None = None
    step = Decimal(1)
    for token in _TOKEN.findall(text):
        if token in PLACES:
            section += (Decimal(1) if digit is None else digit) * PLACES[token]
            digit, step = None, PLACES[token] if step >= 1 else step * PLACES[token]
        elif token in GROUPS:
            group = GROUPS[token]
            section += digit or 0
            # 万亿 multiplies what stands before it as a whole; 亿 after 万 as well.
            if section == 0 or group > total > 0:
                total, section = (total + section) * group, Decimal(0)
            else:
                total, section = total + section * group, Decimal(0)
            digit, step = None, step * group
        elif token.startswith("点"):
            fraction = "".join(str(DIGITS[sign]) for sign in token[1:])
            digit = (digit or Decimal(0)) + Decimal(f"0.{fraction}")
            step = Decimal(1).scaleb(-len(fraction))
        else:
            digit = Decimal(DIGITS[token]) if token in DIGITS else Decimal(token.replace(",", ""))
            step = Decimal(1).scaleb(min(int(digit.as_tuple().exponent), 0))
    return total + section + (digit or 0), step
