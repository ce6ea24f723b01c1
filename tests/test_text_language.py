"""A text is called foreign only when it clearly is."""

from __future__ import annotations

import pytest

from longtracer.engine.text.language import foreign_language

ENGLISH = frozenset({"en"})

FOREIGN = {
    "de": "Der Turm wurde im Jahr 1889 fertiggestellt und ist 300 Meter hoch.",
    "fr": "La tour a été achevée en 1889 et elle mesure 300 mètres de haut.",
    "es": "La torre fue terminada en 1889 y mide 300 metros de altura en la ciudad.",
    "it": "La torre è stata completata nel 1889 ed è alta 300 metri con la base.",
    "pt": "A torre foi concluída em 1889 e tem 300 metros de altura na cidade.",
    "nl": "De toren werd in 1889 voltooid en is 300 meter hoog met het dak.",
    "sv": "Tornet blev klart och det är 300 meter högt med taket som är av järn.",
    "pl": "Wieża została ukończona w 1889 i ma 300 metrów, a to jest dużo dla miasta.",
    "tr": "Kule 1889 yılında tamamlandı ve bu yapı çok yüksek bir kule olarak bilinir.",
    "vi": "Tháp được hoàn thành vào năm 1889 và có chiều cao 300 mét trong thành phố.",
    "zh": "东京是日本的首都。",
    "ja": "東京は日本の首都です。",
    "ko": "서울은 한국의 수도입니다.",
    "th": "กรุงเทพเป็นเมืองหลวงของประเทศไทย",
    "ru": "Москва является столицей России.",
    "ar": "القاهرة هي عاصمة مصر.",
    "hi": "दिल्ली भारत की राजधानी है।",
    "el": "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας.",
    "he": "ירושלים היא הבירה.",
    "fi": "Torni on korkea ja se valmistui kun vuosi oli vaihtunut, mutta se ei ole vanha.",
    "id": "Menara ini selesai pada tahun 1889 dan tingginya tidak lebih dari 300 meter.",
    "cs": "Věž je vysoká a byla dokončena v roce 1889, ale není to nejvyšší věž na světě.",
    "ro": "Turnul este în oraș și a fost terminat după război, dar nu este cel mai înalt.",
    "hu": "A torony magas és az építése nem volt olcsó, de már kész van.",
}

NOT_FOREIGN = [
    "Paris",
    "La La Land",
    "Deutsche Bank AG",
    "Los Angeles de Cuba",
    "Der Spiegel reported that sales fell by 3% in the first quarter.",
    "x = 5; print(y)",
    "42 km",
    "He said “Ich bin ein Berliner und das ist gut für die Stadt” in 1963.",
    "The film La vie en rose is about Édith Piaf and her life.",
    "北京",
    "The capital of China is 北京市.",
    "Rio de Janeiro, São Paulo, Belo Horizonte",
    "El Niño de la Luz",
    "Les Misérables de Victor Hugo et la suite",
    "Basic costs $10\nPro costs $20",
    "Café au lait à la carte",
    "Me no la di da de la",
    "SELECT a FROM b WHERE c IN (d, e, o)",
    "α and β are the parameters of π",
    "The Hague en Rotterdam in 2020",
    "As in a do-or-die no.",
    "Dr. A. de la Cruz, Prof. O. da Silva, E. van der Berg",
    "Die Hard is in the list",
    "I am at it as on in",
    "Who is the man in the sea?",
    "Jean-Claude van Damme, Robert De Niro, Leonardo da Vinci, Oscar de la Renta",
    "- o a e i\n- a b c d\n- o e a i",
    "Volkswagen und Audi",
]


@pytest.mark.parametrize(("code", "text"), FOREIGN.items())
def test_a_text_in_another_language_is_named_by_its_code(code: str, text: str) -> None:
    assert foreign_language(text, ENGLISH) == code


@pytest.mark.parametrize(("code", "text"), FOREIGN.items())
@pytest.mark.parametrize("more", [frozenset(), ENGLISH])
def test_a_text_in_a_welcome_language_is_not_foreign(code: str, text: str, more: frozenset[str]) -> None:
    assert foreign_language(text, more | {code}) is None


@pytest.mark.parametrize("text", FOREIGN.values())
def test_without_languages_every_language_is_welcome(text: str) -> None:
    assert foreign_language(text, frozenset()) is None


@pytest.mark.parametrize("text", NOT_FOREIGN)
def test_names_code_quotations_and_short_texts_are_not_foreign(text: str) -> None:
    assert foreign_language(text, ENGLISH) is None


def test_english_is_foreign_to_a_german_model() -> None:
    text = "The tower was finished in 1889 and it is as tall as the one in Tokyo."
    assert foreign_language(text, frozenset({"de"})) == "en"


def test_a_language_in_latin_letters_without_a_word_list_makes_no_guess() -> None:
    assert foreign_language(FOREIGN["cs"], frozenset({"hr"})) is None
