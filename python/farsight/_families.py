"""The environment families, as the C tables describe them, for the modules that make classes of them."""

from __future__ import annotations

import inspect
import json
from functools import cache
from typing import Any

from farsight import _core

# Compound words that a name on the command line writes as one.
_WORDS = {"riverswim": "RiverSwim", "sixarms": "SixArms", "threearms": "ThreeArms", "deepsea": "DeepSea"}
_TYPES = {"integer": "int", "real": "float", "text": "str", "choice": "str"}


@cache
def families() -> dict[str, dict[str, Any]]:
    """The families by the names of their classes: ``families()["RiverSwim"]["name"]`` is ``"riverswim"``."""
    return {class_name(info["name"]): info for info in json.loads(_core.types("environments"))}


def class_name(name: str) -> str:
    """``"frozen-lake"`` is ``"FrozenLake"``."""
    return _WORDS.get(name) or "".join(part.capitalize() for part in name.split("-"))


def is_switch(parameter: dict[str, Any]) -> bool:
    """Whether the parameter is on or off; True and False are accepted as well."""
    return parameter["choices"] is not None and set(parameter["choices"]) == {"on", "off"}


def default(parameter: dict[str, Any]) -> Any:
    """The default as a Python value; None where it depends on other parameters."""
    return parameter["default"] == "on" if is_switch(parameter) else parameter["default"]


def _annotation(parameter: dict[str, Any]) -> str:
    kind = "bool" if is_switch(parameter) else _TYPES[parameter["type"]]
    return kind if default(parameter) is not None else f"{kind} | None"


def signature(info: dict[str, Any], extra: dict[str, Any]) -> inspect.Signature:
    """Keyword parameters: those of the family and the extra ones, which are None by default."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    own = [
        inspect.Parameter(
            p["name"],
            keyword,
            default=inspect.Parameter.empty if info["name"] == "file" else default(p),
            annotation=_annotation(p),
        )
        for p in info["params"]
    ]
    more = [inspect.Parameter(name, keyword, default=value) for name, value in extra.items()]
    return inspect.Signature(own + more)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else text + "."


def docstring(info: dict[str, Any], env_id: str) -> str:
    """What the family is, where it comes from, its parameters."""
    lines = [_sentence(info["summary"]), ""]
    if info["reference"]:
        lines += [f"From {info['reference']}.", ""]
    lines += [f"Made by ``gymnasium.make({env_id!r})``. Parameters:", ""]
    for p in info["params"]:
        what = p["help"]
        if p["choices"] is not None and not is_switch(p):
            what += f" ({', '.join(p['choices'])})"
        if default(p) is None:
            what += " (the default depends on the others)"
        lines.append(f"- ``{p['name']}``: {_annotation(p)}, default {default(p)!r}: {what}")
    return "\n".join(lines)
