"""The reference workload: 8 claims against 5 sources, in plain prose. Standard library only."""

from __future__ import annotations

__all__ = ["RESPONSE", "SOURCES"]

SOURCES = [
    "The Harrow Point lighthouse was completed in 1874 on a granite outcrop two kilometres from the shore. It was "
    "designed by Edwin Marsh, who had earlier worked on the breakwater of the same harbour. The tower is 41 metres "
    "high and is built of dressed stone carried by barge from the mainland. A keeper's cottage stood beside it until "
    "a storm destroyed the building in 1911.",
    "The first lamp burned rapeseed oil and could be seen from 26 kilometres away in clear weather. In 1923 the lamp "
    "was converted to electricity, supplied by a diesel generator in the base of the tower. The present light "
    "flashes twice every fifteen seconds. Its lens, a second-order Fresnel, was made in Paris and is still in use.",
    "The station was automated in 1988, and the last keeper, Ruth Calloway, left in October of that year. Since then "
    "the light has been monitored from a control centre on the mainland. Technicians visit the rock four times a year "
    "to service the batteries and clean the lens.",
    "The island around the tower is a protected breeding site. About 3,200 pairs of puffins nest there between April "
    "and July, and landing is forbidden during these months. Grey seals haul out on the northern ledges in autumn. "
    "The wardens count both populations every summer.",
    "Boat trips around the rock leave from the harbour in Eastmouth between May and September. A trip takes about "
    "90 minutes and costs 18 pounds for adults and 9 pounds for children. Visitors may climb the tower on two open "
    "days in August, when up to 60 people are admitted each day.",
]

RESPONSE = (
    "The Harrow Point lighthouse was finished in 1874 and was designed by Edwin Marsh. "
    "Its tower is 41 metres high and made of stone. "
    "The lamp was converted to electricity in 1923. "
    "The light flashes three times every ten seconds. "
    "The last keeper, Ruth Calloway, left the station in 1988. "
    "About 3,200 pairs of puffins nest on the island between April and July. "
    "A boat trip costs 25 pounds for adults. "
    "The tower was visited by the king in 1930."
)
