"""The compatibility rule of the schema: what a new version may not do without a new `schema_version`.

Allowed: new optional fields, new enum members. Not allowed: removing or re-typing a field, dropping an enum member,
making a field required.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["incompatibilities"]

_Schema = Mapping[str, Any]
_BOUNDS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "format", "const"),
    *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "propertyNames"),
)


def incompatibilities(old: _Schema, new: _Schema) -> list[str]:
    """What `new` breaks for readers and writers of `old`, one sentence each; empty when nothing."""
    return list(_compare(old, new, old, new, "CaseResult", frozenset()))


def _compare(
    old: _Schema, new: _Schema, old_root: _Schema, new_root: _Schema, path: str, seen: frozenset[str]
) -> Iterator[str]:
    reference = old.get("$ref")
    if isinstance(reference, str):
        if reference in seen:
            return
        seen = seen | {reference}
    old, new = _resolved(old, old_root), _resolved(new, new_root)
    if "anyOf" in old or "anyOf" in new:
        yield from _compare_choices(old, new, old_root, new_root, path, seen)
        return
    if old.get("type") != new.get("type"):
        yield f"{path}: type {old.get('type')} became {new.get('type')}"
        return
    yield from _compare_enum(old, new, path)
    for bound in _BOUNDS:
        # A looser bound breaks whoever reads, a tighter one whoever writes.
        if new.get(bound) != old.get(bound):
            yield f"{path}: {bound} {old.get(bound)!r} became {new.get(bound)!r}"
    for keyword in ("items", "additionalProperties"):
        if isinstance(old.get(keyword), Mapping) or isinstance(new.get(keyword), Mapping):
            inner_old, inner_new = _mapping(old.get(keyword)), _mapping(new.get(keyword))
            yield from _compare(inner_old, inner_new, old_root, new_root, f"{path}[]", seen)
    if new.get("additionalProperties") is False and old.get("additionalProperties") is not False:
        yield f"{path}: unknown fields are refused now"
    yield from _compare_fields(old, new, old_root, new_root, path, seen)


def _compare_enum(old: _Schema, new: _Schema, path: str) -> Iterator[str]:
    for member in old.get("enum", ()):
        if member not in new.get("enum", ()):
            yield f"{path}: enum member {member!r} was removed"
    if "enum" in new and "enum" not in old:
        yield f"{path}: any value was allowed, now only {new['enum']}"


def _compare_fields(
    old: _Schema, new: _Schema, old_root: _Schema, new_root: _Schema, path: str, seen: frozenset[str]
) -> Iterator[str]:
    old_fields, new_fields = old.get("properties", {}), new.get("properties", {})
    for name in sorted(set(new.get("required", ())) - set(old.get("required", ()))):
        yield f"{path}.{name}: is required now"
    for name, field in old_fields.items():
        if name not in new_fields:
            yield f"{path}.{name}: was removed"
        else:
            yield from _compare(field, new_fields[name], old_root, new_root, f"{path}.{name}", seen)


def _compare_choices(
    old: _Schema, new: _Schema, old_root: _Schema, new_root: _Schema, path: str, seen: frozenset[str]
) -> Iterator[str]:
    olds, news = _choices(old, old_root), _choices(new, new_root)
    kinds = [kind for kind, _ in olds]
    if kinds != [kind for kind, _ in news]:
        yield f"{path}: {kinds} became {[kind for kind, _ in news]}"
        return
    for (_, old_choice), (_, new_choice) in zip(olds, news, strict=True):
        yield from _compare(old_choice, new_choice, old_root, new_root, path, seen)


def _choices(schema: _Schema, root: _Schema) -> list[tuple[str, _Schema]]:
    """The alternatives of a field with their types, in the order of types; a field without `anyOf` has one."""
    choices = schema.get("anyOf", [schema])
    return sorted(((str(_resolved(choice, root).get("type")), choice) for choice in choices), key=lambda each: each[0])


def _resolved(schema: _Schema, root: _Schema) -> _Schema:
    reference = schema.get("$ref")
    if reference is None:
        return schema
    target: Any = root
    for part in str(reference).removeprefix("#/").split("/"):
        target = target[part]
    return _mapping(target)


def _mapping(value: object) -> _Schema:
    return value if isinstance(value, Mapping) else {}
