"""Amounts of money: the signs, codes and words of a currency, before or after its number."""

from __future__ import annotations

import re

from .vocabulary import listed

__all__ = ["CURRENCY_AFTER", "CURRENCY_BEFORE", "currency_of", "same_currency"]

_DOLLAR, _KRONE = "$", "kr"

_SIGNS = {
    "$": _DOLLAR, "US$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD", "HK$": "HKD",
    "S$": "SGD", "R$": "BRL", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY",
    "₦": "NGN", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "Rs": "INR", "Rs.": "INR", "kr": _KRONE,
}  # fmt: skip

_CODES = listed(
    "USD EUR GBP JPY CHF CAD AUD NZD CNY RMB INR SEK NOK DKK PLN CZK HUF BRL MXN ZAR KRW SGD HKD TRY RUB ILS AED "
    "SAR THB IDR MYR PHP VND NGN EGP ARS CLP COP"
)

_WORDS = {
    "dollar": _DOLLAR, "us dollar": "USD", "u.s. dollar": "USD", "american dollar": "USD", "buck": _DOLLAR,
    "canadian dollar": "CAD", "australian dollar": "AUD", "new zealand dollar": "NZD", "hong kong dollar": "HKD",
    "singapore dollar": "SGD", "euro": "EUR", "pound sterling": "GBP", "yen": "JPY",
    "yuan": "CNY", "renminbi": "CNY", "rupee": "INR", "franc": "CHF", "swiss franc": "CHF", "rouble": "RUB",
    "ruble": "RUB", "peso": "MXN", "won": "KRW", "krona": _KRONE, "kronor": _KRONE, "krone": _KRONE, "kroner": _KRONE,
    "swedish krona": "SEK", "swedish kronor": "SEK", "norwegian krone": "NOK", "norwegian kroner": "NOK",
    "danish krone": "DKK", "danish kroner": "DKK",
    "real": "BRL", "rand": "ZAR", "zloty": "PLN", "shekel": "ILS", "lira": "TRY", "baht": "THB",
}  # fmt: skip

# Words that mean something else as often as money must stand in the plural or be left out.
_PLURAL_ONLY = {"real": "reais", "won": None, "rand": None}


def _word_forms() -> dict[str, str]:
    forms: dict[str, str] = {}
    for word, code in _WORDS.items():
        if word in _PLURAL_ONLY:
            plural = _PLURAL_ONLY[word]
            forms |= {plural: code} if plural else {}
        else:
            forms |= {word: code, f"{word}s": code}
    return forms | {"pounds sterling": "GBP", "quid": "GBP"}


_FORMS = _word_forms()


def _alternation(forms: list[str]) -> str:
    return "|".join(re.escape(form).replace(r"\ ", r"\s") for form in sorted(forms, key=len, reverse=True))


_SIGN = _alternation(list(_SIGNS))
_CODE = "|".join(_CODES)

CURRENCY_BEFORE = re.compile(rf"(?:(?<![A-Za-z])(?:{_SIGN}|{_CODE}))\s?$")
"""A sign or code that ends the text before a number."""

CURRENCY_AFTER = re.compile(rf"\s?(?:({_SIGN}|{_CODE})(?![A-Za-z])|[\s-]?(?i:({_alternation(list(_FORMS))}))(?!\w))")
"""A sign, code or word of a currency; match it where the number ends."""


_OPEN = {_DOLLAR: listed("USD CAD AUD NZD HKD SGD"), _KRONE: listed("SEK NOK DKK")}
"""The currencies that a sign without a country may stand for."""


def currency_of(form: str) -> str:
    """The ISO 4217 code that a matched sign, code or word stands for, "$" or "kr" where it leaves the country open."""
    spaced = re.sub(r"\s+", " ", form.strip(" \t\n-\u00a0\u202f"))
    code = _SIGNS.get(spaced) or _FORMS.get(spaced.lower()) or spaced
    return "CNY" if code == "RMB" else code


def same_currency(first: str, second: str) -> bool:
    """Whether two codes may be one currency: a bare dollar is any country's dollar, a US dollar no Canadian one."""
    return first == second or second in _OPEN.get(first, ()) or first in _OPEN.get(second, ())
