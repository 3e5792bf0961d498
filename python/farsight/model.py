"""Models: finite Markov decision processes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from farsight import _core


def spec_text(name: str, parameters: dict[str, Any]) -> str:
    """The spec of a family with these parameters: ``spec_text("chain", {"n": 50})`` is ``"chain:n=50"``.

    None leaves a parameter at its default, True and False are on and off, and a list of texts, the rows of a
    map, is joined by slashes.
    """
    given = {key: _value_text(value) for key, value in parameters.items() if value is not None}
    if name == "file" and set(given) == {"path"}:
        return "file:" + given["path"]
    pairs = ",".join(f"{key}={text}" for key, text in given.items())
    return f"{name}{',' if ':' in name else ':'}{pairs}" if pairs else name


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return "/".join(_value_text(item) for item in value)
    return repr(value.item()) if hasattr(value, "item") else str(value)


class MDP(_core.Model):
    """A finite Markov decision process; immutable."""

    def __new__(cls, spec: str, /, **parameters: Any) -> MDP:
        return cls.from_spec(spec_text(spec, parameters))


def as_model(model: MDP | _core.Model | str) -> MDP:
    """The model itself, or the model of a spec."""
    if isinstance(model, MDP):
        return model
    if isinstance(model, str):
        return MDP(model)
    raise TypeError(f"expected a model (farsight.MDP) or a spec, not {type(model).__name__}")
