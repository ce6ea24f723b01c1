"""The most frequent function words of languages in Latin letters."""

from __future__ import annotations

from collections import Counter

from .word_sets import word_set

__all__ = ["SHARED", "STOP_WORDS"]

STOP_WORDS = {
    "en": word_set(
        "the of and to in is that it for was on are as with his they be at one have this from or had by but"
        " not what all were we when your can said there use an each which she do how their if will up other"
        " about out many then them these so some her would make like him into has more its no than been who"
    ),
    "de": word_set(
        "der die das und ist in zu den mit von für auf nicht ein eine einen einem einer des dem sich auch es"
        " an als wie bei aus nach im am sind war wird werden hat haben oder aber wenn nur noch über zum zur"
        " vom kann ich sie er wir dass kostet wurde durch gibt keine kein bis unter"
    ),
    "fr": word_set(
        "le la les de des du et est un une en que qui dans pour pas sur au aux par plus avec ce cette ces il"
        " elle ils elles nous vous je ne se son sa ses leur sont été être a ont ou mais comme si tout fait"
        " deux coûte était c'est l d qu n s"
    ),
    "es": word_set(
        "el la los las de del y es un una en que por para con no se su sus al lo como más pero o le ha han"
        " está están son fue ser este esta estos muy también hay entre cuando sin sobre era desde todo nos ya"
        " cuesta tiene"
    ),
    "it": word_set(
        "il lo la i gli le di del della dei delle e è un una uno in che per con non si sono da dal dalla nel"
        " nella al alla ma come più anche questo questa ha hanno era essere suo sua ci o se su sul sulla costa"
        " stato tra"
    ),
    "pt": word_set(
        "o a os as de do da dos das e é um uma em no na nos nas que por para com não se seu sua ao à como"
        " mais mas ou foi são ser tem está este esta isso também já entre quando muito pelo pela até custa"
    ),
    "nl": word_set(
        "de het een en is van in op te dat die niet met voor zijn aan er om ook als bij of uit naar dan maar"
        " door over wordt worden heeft hebben was kan nog wel geen deze dit hij zij ik je we kost werd"
    ),
    "sv": word_set(
        "och att det som en ett på är av för med den till i inte om har de var vi kan han hon jag men så från"
        " eller när nu också efter vid där hade blev kostar"
    ),
    "da": word_set(
        "og at det som en et på er af for med den til i ikke om har de var vi kan han hun jeg men så fra"
        " eller når nu også efter ved der havde blev koster"
    ),
    "no": word_set(
        "og at det som en et på er av for med den til i ikke om har de var vi kan han hun jeg men så fra"
        " eller når nå også etter ved der hadde ble koster"
    ),
    "fi": word_set(
        "ja on ei se että hän ovat oli mutta niin kun joka myös kuin tai jos ole sen hänen mukaan vain nyt jo"
        " vielä tämä ne sekä maksaa olla"
    ),
    "pl": word_set(
        "i w z na do nie się jest to że o od po za przez jak ale dla są był była było który która które ma"
        " tak jego oraz czy już tylko przy lub kosztuje"
    ),
    "cs": word_set(
        "a v na je se že s z do o ve k i to za pro by jako ale jsou byl byla bylo který která které po tak od"
        " podle nebo také jeho jen stojí není"
    ),
    "tr": word_set(
        "ve bir bu için ile da de çok olarak daha olan gibi en ne kadar sonra var ise değil ama o ki mi her"
        " ya tarafından olduğu"
    ),
    "ro": word_set(
        "și în de la a cu pe nu este un o care din că se pentru mai sunt ca prin dar fi au fost sau ale al"
        " lui după până costă"
    ),
    "hu": word_set(
        "a az és hogy nem is egy ez volt van de meg csak már el ha vagy mint még azt kell lehet minden akkor"
        " szerint után kerül"
    ),
    "vi": word_set("và của là có không được cho trong với các một những này đã người để khi từ cũng đến như về"),
    "id": word_set(
        "yang dan di ini itu dengan untuk tidak dari pada adalah ke dalam akan ada oleh juga sebagai karena"
        " atau bisa saya dapat telah lebih"
    ),
}
"""By ISO 639-1 code."""

_COUNTS = Counter(word for words in STOP_WORDS.values() for word in words)
SHARED = frozenset(word for word, count in _COUNTS.items() if count > 1)
"""Words of more than one of the languages."""
