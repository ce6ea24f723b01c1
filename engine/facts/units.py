"""Units of measurement as people write them, and conversion between units of one dimension (pint)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pint

__all__ = ["UNIT_PATTERN", "Unit", "convert", "unit_of"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by its pint name ("kilometer") and the dimension it belongs to ("length")."""

    name: str
    dimension: str


# dimension -> pint name -> written forms: symbols (case matters) | words (case does not matter)
_FORMS: dict[str, dict[str, str]] = {
    "length": {
        "kilometer": "km kms | kilometre kilometres kilometer kilometers",
        "meter": "m | metre metres meter meters",
        "centimeter": "cm | centimetre centimetres centimeter centimeters",
        "millimeter": "mm | millimetre millimetres millimeter millimeters",
        "micrometer": "µm μm um | micrometre micrometres micrometer micrometers micron microns",
        "nanometer": "nm | nanometre nanometres nanometer nanometers",
        "mile": "mi | mile miles",
        "yard": "yd yds | yard yards",
        "foot": "ft ′ | foot feet",
        "inch": "in. ″ | inch inches",
        "nautical_mile": "nmi | nautical_mile nautical_miles",
        "light_year": "ly | light-year light-years light_year light_years",
    },
    "mass": {
        "kilogram": "kg kgs | kilogram kilograms kilogramme kilogrammes kilo kilos",
        "gram": "g | gram grams gramme grammes",
        "milligram": "mg | milligram milligrams",
        "microgram": "µg μg mcg | microgram micrograms",
        "metric_ton": "t | tonne tonnes metric_ton metric_tons",
        "ton": "| ton tons short_ton short_tons",
        "pound": "lb lbs lb. lbs. | pound pounds",
        "ounce": "oz oz. | ounce ounces",
        "stone": "| stone",
    },
    "volume": {
        "liter": "L l | litre litres liter liters",
        "milliliter": "mL ml | millilitre millilitres milliliter milliliters",
        "centiliter": "cl cL | centilitre centilitres centiliter centiliters",
        "gallon": "gal | gallon gallons",
        "quart": "qt | quart quarts",
        "pint": "| pint pints",
        "cup": "| cup cups",
        "tablespoon": "tbsp | tablespoon tablespoons",
        "teaspoon": "tsp | teaspoon teaspoons",
        "fluid_ounce": "| fluid_ounce fluid_ounces",
        "meter**3": "m³ m3 | cubic_metre cubic_metres cubic_meter cubic_meters",
        "centimeter**3": "cm³ cm3 cc | cubic_centimetre cubic_centimetres cubic_centimeters",
        "foot**3": "| cubic_foot cubic_feet",
        "oil_barrel": "bbl | barrel barrels",
    },
    "area": {
        "kilometer**2": "km² km2 | sq_km sq._km square_kilometre square_kilometres square_kilometer square_kilometers",
        "meter**2": "m² m2 sqm | sq_m sq._m square_metre square_metres square_meter square_meters",
        "foot**2": "ft² ft2 sqft | sq_ft sq._ft square_foot square_feet",
        "mile**2": "mi² mi2 | sq_mi sq._mi square_mile square_miles",
        "hectare": "ha | hectare hectares",
        "acre": "ac | acre acres",
    },
    "speed": {
        "kilometer/hour": "km/h kmh kph km/hr km_per_hour km_an_hour | kilometres_per_hour kilometers_per_hour",
        "mile/hour": "mph mi/h miles/hour | miles_per_hour miles_an_hour",
        "meter/second": "m/s | metres_per_second meters_per_second",
        "knot": "kn kt kts | knot knots",
    },
    "data": {
        "bit": "| bit bits",
        "byte": "B | byte bytes",
        "kilobyte": "kB KB | kilobyte kilobytes",
        "megabyte": "MB | megabyte megabytes",
        "gigabyte": "GB | gigabyte gigabytes",
        "terabyte": "TB | terabyte terabytes",
        "petabyte": "PB | petabyte petabytes",
        "kibibyte": "KiB | kibibyte kibibytes",
        "mebibyte": "MiB | mebibyte mebibytes",
        "gibibyte": "GiB | gibibyte gibibytes",
        "tebibyte": "TiB | tebibyte tebibytes",
    },
    "data rate": {
        "kilobit/second": "kbps kbit/s Kbps | kilobits_per_second",
        "megabit/second": "Mbps Mbit/s Mb/s | megabits_per_second",
        "gigabit/second": "Gbps Gbit/s Gb/s | gigabits_per_second",
        "megabyte/second": "MB/s MBps | megabytes_per_second",
        "gigabyte/second": "GB/s | gigabytes_per_second",
    },
    "power": {
        "watt": "W | watt watts",
        "kilowatt": "kW KW | kilowatt kilowatts",
        "megawatt": "MW | megawatt megawatts",
        "gigawatt": "GW | gigawatt gigawatts",
        "horsepower": "hp bhp | horsepower",
    },
    "energy": {
        "joule": "J | joule joules",
        "kilojoule": "kJ | kilojoule kilojoules",
        # A "calorie" of food is what physics calls a kilocalorie.
        "kilocalorie": "kcal cal | calorie calories kilocalorie kilocalories",
        "watt_hour": "Wh | watt-hour watt-hours watt_hour watt_hours",
        "kilowatt_hour": "kWh | kilowatt-hour kilowatt-hours kilowatt_hour kilowatt_hours",
        "megawatt_hour": "MWh | megawatt-hour megawatt-hours megawatt_hours",
        "gigawatt_hour": "GWh | gigawatt-hour gigawatt-hours gigawatt_hours",
        "terawatt_hour": "TWh | terawatt-hour terawatt-hours terawatt_hours",
    },
    "frequency": {
        "hertz": "Hz | hertz",
        "kilohertz": "kHz KHz | kilohertz",
        "megahertz": "MHz | megahertz",
        "gigahertz": "GHz | gigahertz",
    },
    "rotation": {"revolutions_per_minute": "rpm | rpm"},
    "pressure": {
        "pascal": "Pa | pascal pascals",
        "kilopascal": "kPa | kilopascal kilopascals",
        "megapascal": "MPa | megapascal megapascals",
        "bar": "bar |",
        "psi": "psi | psi",
        "mmHg": "mmHg | mm_Hg",
    },
    "temperature": {
        "degree_Celsius": "°C ℃ °_C | degree_celsius degrees_celsius degrees_c degrees_centigrade celsius centigrade",
        "degree_Fahrenheit": "°F ℉ °_F | degree_fahrenheit degrees_fahrenheit degrees_f fahrenheit",
        "kelvin": "K | kelvin kelvins",
    },
    "angle": {"degree": "° | degree degrees"},
    "voltage": {"volt": "V | volt volts", "kilovolt": "kV | kilovolt kilovolts", "millivolt": "mV | millivolts"},
    "charge": {"ampere_hour": "Ah | amp-hours", "milliampere_hour": "mAh | milliamp-hours"},
    "resolution": {"megapixel": "MP | megapixel megapixels", "pixel": "px | pixel pixels"},
    "sound level": {"decibel": "dB | decibel decibels"},
    "time": {
        "nanosecond": "ns | nanosecond nanoseconds",
        "microsecond": "µs μs | microsecond microseconds",
        "millisecond": "ms | millisecond milliseconds",
        "second": "s sec secs | seconds second",
        "minute": "min mins | minute minutes",
        "hour": "h hr hrs | hour hours",
        "day": "| day days",
        "week": "| week weeks",
        "fortnight": "| fortnight fortnights",
        "month": "| month months",
        "year": "yr yrs | year years",
        "calendar_decade": "| decade decades",
        "century": "| century centuries",
        "millennium": "| millennium millennia",
    },
}


def _table(side: int) -> dict[str, Unit]:
    """Written form -> unit, for the symbols (side 0) or the words (side 1) of `_FORMS`."""
    return {
        form.replace("_", " "): Unit(name, dimension)
        for dimension, units in _FORMS.items()
        for name, forms in units.items()
        for form in forms.split("|")[side].split()
    }


_SYMBOLS = _table(0)
_WORDS = _table(1)


def _alternation(forms: dict[str, Unit]) -> str:
    return "|".join(re.escape(form).replace(r"\ ", r"\s") for form in sorted(forms, key=len, reverse=True))


UNIT_PATTERN = re.compile(rf"(?:{_alternation(_SYMBOLS)}|(?i:{_alternation(_WORDS)}))(?![^\W_])")
"""A unit as written, up to a word boundary; match it where the number ends."""


def unit_of(form: str) -> Unit:
    """The unit that `form`, a match of `UNIT_PATTERN`, stands for."""
    spaced = re.sub(r"\s", " ", form)
    return _SYMBOLS.get(spaced) or _WORDS[spaced.lower()]


@lru_cache(maxsize=1)
def _registry() -> pint.UnitRegistry[float]:
    # Loading pint takes about 0.3 s: it is spent by the first text that needs a conversion, not by an import.
    import pint

    registry: pint.UnitRegistry[float] = pint.UnitRegistry()
    registry.define("calendar_decade = 10 * year")  # what pint calls a decade is a ratio of ten
    return registry


@lru_cache(maxsize=1024)
def _line(source: str, target: str) -> tuple[Decimal, Decimal]:
    """Slope and offset of the conversion, which is a straight line for every unit here."""
    quantity = _registry().Quantity
    zero = quantity(0.0, source).to(target).magnitude
    one = quantity(1.0, source).to(target).magnitude
    return Decimal(repr(one)) - Decimal(repr(zero)), Decimal(repr(zero))


_FIGURES = Context(prec=14)
"""Significant figures kept of a conversion: fewer than a float has, so that 2 hours are 120 minutes exactly."""


def convert(value: Decimal, source: str, target: str, *, difference: bool = False) -> Decimal:
    """`value` of unit `source` in unit `target`; both of one dimension. `difference` leaves out the zero point."""
    if source == target:
        return value
    slope, offset = _line(source, target)
    converted = value * slope if difference else value * slope + offset
    return _FIGURES.plus(converted)
