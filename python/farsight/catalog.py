"""What there is: agents, environments, metrics and theorems, read from the library's own tables.

>>> import farsight as fs
>>> "delayed-q" in fs.agents
True
>>> fs.agents["delayed-q"].parameters["ties"].default
'random'
>>> agent = fs.agents.delayed_q(env="chain:n=5", m=3)
"""

from __future__ import annotations

import html
import inspect
import json
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from farsight import _core, _specs
from farsight._words import nearest, unknown

if TYPE_CHECKING:
    from farsight._listed import Agents, Environments, Metrics, Theorems


@dataclass(frozen=True)
class Parameter:
    """A parameter of an agent, an environment or a metric."""

    name: str
    kind: str
    """"real", "integer", "choice" or "text"."""
    default: float | int | str | None
    """None where a rule computes it."""
    rule: str | None
    """How the default is computed, where it depends on other parameters or on the problem."""
    bounds: str
    """In words, as in "in [0, 1)"; "" for text."""
    choices: tuple[str, ...]
    word: str | None
    """A word that may stand in place of a number: "short" of a discount."""
    help: str

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off; True and False are accepted as well."""
        return set(self.choices) == {"on", "off"}

    def read(self, text: str) -> float | int | str:
        """The value that a text stands for."""
        if self.kind == "integer":
            return int(float(text)) if not text.lstrip("+-").isdigit() else int(text)
        return float(text) if self.kind == "real" else text


@dataclass(frozen=True)
class Entry:
    """One agent, environment, metric or theorem, as the library describes it."""

    kind: str
    """"agents", "environments", "metrics" or "theorems"."""
    name: str
    summary: str
    reference: str
    guarantee: str | None
    parameters: Mapping[str, Parameter]
    facts: Mapping[str, Any]
    """Everything else that the library's table says."""

    def spec(self, /, **parameters: Any) -> str:
        """The spec with these parameters: text that every function of the package accepts.

        >>> import farsight as fs
        >>> fs.agents["delayed-q"].spec(m=3)
        'delayed-q:m=3'
        """
        given = {key for key, value in parameters.items() if value is not None}
        names = {_specs.argument(name): name for name in self.parameters}
        for key in sorted(given - set(names) - set(self.parameters)):
            raise unknown(f"parameter of {self.name}", key, list(names))
        return _specs.with_parameters(self.name, parameters)

    def __farsight_spec__(self) -> str:
        """Stands for the spec where one is expected."""
        return self.spec()

    def __call__(self, *args: Any, **parameters: Any) -> Any:
        """Make the agent or the environment; a metric as a spec."""
        return _MAKERS[self.kind](self, *args, **parameters)

    def __repr__(self) -> str:
        """One line; describe() says everything."""
        return f"<{self.kind[:-1]} {self.name}: {self.summary}>"

    def describe(self) -> str:
        """Everything about it as text; the docstring of its factory."""
        lines = [self.summary + ".", ""]
        if self.guarantee:
            lines += _paragraph(f"Guarantee: {self.guarantee}.") + [""]
        for key in ("statement", "assumptions", "order"):
            if self.facts.get(key):
                lines += _paragraph(f"{key.capitalize()}: {self.facts[key]}") + [""]
        if self.parameters:
            lines += ["Parameters:", ""]
            for p in self.parameters.values():
                lines += _paragraph(_line(p), "    ")
            lines.append("")
        lines += _paragraph(f"Reference: {self.reference}.")
        return "\n".join(lines)


def _paragraph(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, 100, initial_indent=indent, subsequent_indent=indent + "    ")


def _line(p: Parameter) -> str:
    default = f"default {p.default}" if p.default is not None else f"default: {p.rule}"
    facts = "; ".join(fact for fact in (p.bounds, default) if fact)
    return f"{_specs.argument(p.name)}: {p.help} ({facts})"


def _bounds(row: Mapping[str, Any]) -> str:
    if row.get("choices"):
        return "one of " + ", ".join(row["choices"])
    low, high = row.get("min"), row.get("max")
    if low is None and high is None:
        return ""
    if high is None:
        return f"above {low}" if row.get("min_open") else f"at least {low}"
    left = "-inf" if low is None else low
    open_, close = "(" if row.get("min_open") else "[", ")" if row.get("max_open") else "]"
    return f"in {open_}{left}, {high}{close}"


def _parameter(row: Mapping[str, Any]) -> Parameter:
    return Parameter(
        name=row["name"],
        kind=row["type"],
        default=row.get("default"),
        rule=row.get("rule"),
        bounds=_bounds(row),
        choices=tuple(row.get("choices") or ()),
        word=row.get("word"),
        help=row["help"],
    )


_PLAIN = ("name", "summary", "title", "reference", "guarantee", "params")


def _entry(kind: str, row: Mapping[str, Any]) -> Entry:
    return Entry(
        kind=kind,
        name=row["name"],
        summary=row.get("summary") or row.get("title") or "",
        reference=row.get("reference") or "",
        guarantee=row.get("guarantee"),
        parameters={p["name"]: _parameter(p) for p in row.get("params", ())},
        facts={key: value for key, value in row.items() if key not in _PLAIN},
    )


# ---- factories ----


def _make_agent(entry: Entry, env: Any = None, **named: Any) -> Any:
    from farsight.agent import Agent

    return Agent(entry.name, env, **named)


def _make_environment(entry: Entry, **parameters: Any) -> Any:
    from farsight.model import MDP

    return MDP.from_spec(entry.spec(**parameters))


def _make_metric(entry: Entry, **parameters: Any) -> str:
    return entry.spec(**parameters)


def _make_theorem(entry: Entry, *args: Any, **named: Any) -> Any:
    from farsight.theory import pac

    return pac(entry.name, *args, **named)


_MAKERS: dict[str, Callable[..., Any]] = {
    "agents": _make_agent,
    "environments": _make_environment,
    "metrics": _make_metric,
    "theorems": _make_theorem,
}

_TYPES: dict[str, Any] = {"real": float, "integer": int, "choice": str, "text": str}


def arguments_of(entry: Entry) -> list[inspect.Parameter]:
    """The parameters as keyword arguments of a function."""
    return [_argument(p, entry.name == "file") for p in entry.parameters.values()]


def _argument(p: Parameter, needed: bool) -> inspect.Parameter:
    kind = bool if p.is_switch else _TYPES[p.kind] | str if p.word is not None else _TYPES[p.kind]
    default = p.default == "on" if p.is_switch else p.default
    return inspect.Parameter(
        _specs.argument(p.name),
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if needed else default,
        annotation=kind if needed or default is not None else kind | None,
    )


def _signature(entry: Entry) -> inspect.Signature:
    only = inspect.Parameter.KEYWORD_ONLY
    found: list[inspect.Parameter] = []
    options: list[inspect.Parameter] = []
    if entry.kind == "agents":
        from farsight.agent import Agent

        mine = list(inspect.signature(Agent.__init__).parameters.values())
        found = [p for p in mine if p.name == "env"]
        options = [p for p in mine if p.kind == only]
    if entry.kind == "theorems":
        found = [inspect.Parameter("problem", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        options = [inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)]
    return inspect.Signature([*found, *arguments_of(entry), *options])


def _factory(entry: Entry) -> Callable[..., Any]:
    def make(*args: Any, **named: Any) -> Any:
        for name in [] if open_ else named.keys() - signature.parameters.keys():
            near = nearest(name, list(signature.parameters))
            raise TypeError(f"{make.__qualname__} has no parameter {name}; {near}")
        signature.bind(*args, **named)
        return entry(*args, **named)

    signature = _signature(entry)
    open_ = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    make.__name__ = _specs.argument(entry.name)
    make.__qualname__ = f"{entry.kind}.{make.__name__}"
    make.__doc__ = entry.describe()
    make.__signature__ = signature  # type: ignore[attr-defined]
    make.__farsight_spec__ = entry.__farsight_spec__  # type: ignore[attr-defined]
    return make


class Catalog(Mapping[str, Entry]):
    """A list of the library: a mapping from names to entries, with a factory for each as an attribute.

    The list is read from the library every time, so that agents which were registered later appear, too.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._text = ""
        self._found: dict[str, Entry] = {}

    def _entries(self) -> dict[str, Entry]:
        text = _core.types(self._kind)
        if text != self._text:
            self._found = {row["name"]: _entry(self._kind, row) for row in json.loads(text)}
            self._text = text
        return self._found

    def __getitem__(self, name: str) -> Entry:
        entries = self._entries()
        if name in entries:
            return entries[name]
        raise unknown(self._kind[:-1], name, list(entries))

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries())

    def __len__(self) -> int:
        return len(self._entries())

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        entries = {_specs.argument(known): entry for known, entry in self._entries().items()}
        if name in entries:
            return _factory(entries[name])
        raise AttributeError(unknown(self._kind[:-1], name, list(entries)).message)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(_specs.argument(name) for name in self._entries())})

    def __repr__(self) -> str:
        width = max(map(len, self._entries()), default=0)
        return "\n".join(f"{name:{width}}  {e.summary}" for name, e in self._entries().items())

    def _repr_html_(self) -> str:
        cells = (
            f"<tr><td><code>{html.escape(e.name)}</code></td><td>{html.escape(e.summary)}</td>"
            f"<td>{html.escape(e.guarantee or '')}</td></tr>"
            for e in self._entries().values()
        )
        return f"<table><tr><th>name</th><th></th><th>guarantee</th></tr>{''.join(cells)}</table>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Catalog, (self._kind,)


agents = cast("Agents", Catalog("agents"))
environments = cast("Environments", Catalog("environments"))
metrics = cast("Metrics", Catalog("metrics"))
theorems = cast("Theorems", Catalog("theorems"))
