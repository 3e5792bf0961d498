"""A program of studies/ as a module."""
import importlib.machinery
import importlib.util
import pathlib
import sys

sys.dont_write_bytecode = True


def load(name):
    """(the script's path, the module)"""
    path = pathlib.Path(__file__).resolve().parents[2] / "studies" / name
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return path, module
