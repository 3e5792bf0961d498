"""fs.agents, fs.environments, fs.metrics, fs.theorems: what the C tables say, as Python expects it."""

from __future__ import annotations

import inspect
import json
import keyword
import pickle
import pydoc

import pytest

import farsight as fs
from farsight import _core

CATALOGS = {
    "agents": fs.agents,
    "environments": fs.environments,
    "metrics": fs.metrics,
    "theorems": fs.theorems,
}
ALL = [(kind, name) for kind, catalog in CATALOGS.items() for name in catalog]


def plain(name: str) -> str:
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


@pytest.mark.parametrize("kind", CATALOGS)
def test_lists_are_those_of_the_library(kind: str) -> None:
    rows = json.loads(_core.types(kind))
    catalog = CATALOGS[kind]
    assert list(catalog) == [row["name"] for row in rows]
    assert len(catalog) == len(rows) > 5
    for row in rows:
        entry = catalog[row["name"]]
        assert entry.name == row["name"] and entry.summary and entry.reference == row["reference"]
        assert list(entry.parameters) == [p["name"] for p in row.get("params", ())]
        assert row["name"] in repr(catalog) and row["name"] in catalog._repr_html_()
        assert plain(row["name"]) in dir(catalog)


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_factories_have_a_signature_and_a_docstring(kind: str, name: str) -> None:
    entry = CATALOGS[kind][name]
    factory = getattr(CATALOGS[kind], plain(name))
    assert factory.__name__ == plain(name)
    signature = inspect.signature(factory)
    for p in entry.parameters.values():
        argument = signature.parameters["lambda_" if p.name == "lambda" else p.name]
        default: object = p.default == "on" if p.is_switch else p.default
        if name == "file":
            default = argument.empty  # it must be given
        assert argument.default == default and argument.kind is argument.KEYWORD_ONLY
        assert " ".join(p.help.split()) in " ".join(factory.__doc__.split())
    assert entry.summary in factory.__doc__ and "Reference: " in factory.__doc__
    page = pydoc.render_doc(factory)
    assert page.startswith("Python Library Documentation: function") and entry.summary in page


def test_factories_make_agents() -> None:
    for name, entry in fs.agents.items():
        if "code" in entry.parameters:  # registered by another test
            continue
        env = "chain:n=4,horizon=5" if entry.facts["finite_horizon"] else "chain:n=4"
        agent = getattr(fs.agents, plain(name))(env=env, seed=3)
        assert isinstance(agent, fs.Agent) and agent.spec.split(":")[0] == name
        other = entry(env=env, seed=3)
        assert other.spec == agent.spec and [other.act(0) for _ in range(9)] == [agent.act(0) for _ in range(9)]
    assert fs.agents.directed_delayed_q("chain", lambda_=0.25, m=4).params["lambda"] == 0.25
    assert fs.agents["delayed-q"].parameters["gamma"].bounds == "in [0, 1)"


def test_factories_make_environments_and_metrics() -> None:
    assert fs.environments.chain(n=7).n_states == 7
    assert isinstance(fs.environments.frozen_lake(), _core.Model)
    assert fs.environments["file"].spec(path="a,b.mdp") == "file:a,b.mdp"
    assert fs.metrics.mistakes(eps=0.25, relative=True) == "mistakes:eps=0.25,relative=on"
    assert fs.metrics["mistakes"].spec() == "mistakes"


def test_facts_of_entries() -> None:
    entry = fs.agents["directed-delayed-q"]
    assert entry.guarantee is not None and entry.guarantee.startswith("PAC-MDP")
    assert entry.facts["model_based"] is False and fs.agents["r-max"].facts["model_based"] is True
    m = entry.parameters["m"]
    assert (m.kind, m.default, m.rule) == ("integer", None, "10 N, fully delayed N/(15 H); practical: 5")
    gamma = entry.parameters["gamma"]
    assert (gamma.default, gamma.rule, gamma.word, m.word) == (None, "the problem's", "short", None)
    assert entry.parameters["ties"].choices == ("random", "lowest", "highest")
    assert fs.theorems["delayed-q"].facts["agent"] == "delayed-q"


def test_unknown_names_are_errors_with_a_suggestion() -> None:
    with pytest.raises(KeyError, match="unknown agent 'delayd-q'; did you mean 'delayed-q'"):
        fs.agents["delayd-q"]
    with pytest.raises(fs.UnknownError, match="unknown environment 'zzz'; there are: chain"):
        fs.environments["zzz"]
    with pytest.raises(AttributeError, match="did you mean 'r_max'"):
        _ = fs.agents.r_maxx
    with pytest.raises(TypeError, match="no parameter mm; did you mean 'm'"):
        fs.agents.delayed_q("chain", mm=3)
    with pytest.raises(KeyError, match="unknown parameter of delayed-q 'mm'"):
        fs.agents["delayed-q"].spec(mm=3)
    with pytest.raises(TypeError):
        fs.environments.chain(5)
    assert "zzz" not in fs.agents and fs.agents.get("zzz") is None


def test_catalogues_can_be_pickled() -> None:
    assert list(pickle.loads(pickle.dumps(fs.agents))) == list(fs.agents)


def test_factories_suggest_parameters() -> None:
    with pytest.raises(TypeError, match=r"agents\.r_max has no parameter mm; did you mean 'm'\?"):
        fs.agents.r_max(env="chain", mm=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"environments\.chain has no parameter slipp; did you mean 'slip'\?"):
        fs.environments.chain(slipp=0.1)  # type: ignore[call-arg]


def test_entries_are_shown_in_one_line() -> None:
    assert repr(fs.agents["r-max"]) == f"<agent r-max: {fs.agents['r-max'].summary}>"
    for catalog in (fs.agents, fs.environments, fs.metrics, fs.theorems):
        assert all("\n" not in repr(entry) and len(repr(entry)) < 160 for entry in catalog.values())
