#!/usr/bin/env python3
"""The packages say what the sources are: one version and one date everywhere, options that CMake has, a package for
every library that the build looks for.

usage: packaging.py
The recipe of Spack is executed with a stand-in for spack.package; that of conda is read as text here, and as YAML by
scripts/release. Neither is built by any test.
"""
import datetime
import email.utils
import pathlib
import re
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
# what the build looks for (CMake's name or pkg-config's): its package of Debian, conda and Spack
LIBRARIES = {
    "SQLite3": ("libsqlite3-dev", "libsqlite", "sqlite"),
    "yaml-0.1": ("libyaml-dev", "yaml", "libyaml"),
    "nlopt": ("libnlopt-dev", "nlopt", "nlopt"),
    "ncursesw": ("libncurses-dev", "ncurses", "ncurses"),
}
NO_PACKAGE = {"Threads", "PkgConfig", "MPI"}  # of the system, a tool, and left out of the packages


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def build():
    """All of the build's files but those of the tests."""
    return "\n".join(path.read_text(encoding="utf-8") for path in [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))])


def one(pattern, path):
    found = re.findall(pattern, text(path), re.MULTILINE)
    assert len(found) == 1, f"{path}: {pattern} is there {len(found)} times"
    return found[0]


def version():
    return ".".join(one(rf"^#define FAR_VERSION_{part} ([0-9]+)$", "include/farsight/base.h")
                    for part in ("MAJOR", "MINOR", "PATCH"))


class Spack:
    """What the recipe of Spack says, by executing it."""

    def __init__(self):
        self.versions, self.needs, self.options = [], [], []
        module = types.ModuleType("spack.package")
        directives = {
            "CMakePackage": type("CMakePackage", (), {
                "define": lambda _, option, value: self.options.append(option),
                "define_from_variant": lambda _, option, variant: self.options.append(option),
                "run_tests": False}),
            "version": lambda number, **more: self.versions.append(number),
            "depends_on": lambda spec, **more: self.needs.append(re.split("[@+]", spec)[0]),
            "variant": lambda name, **more: None,
            "license": lambda name: None,
        }
        module.__dict__.update(directives, __all__=list(directives))
        sys.modules |= {"spack": types.ModuleType("spack"), "spack.package": module}
        names = {}
        exec(compile(text("packaging/spack/package.py"), "packaging/spack/package.py", "exec"), names)  # our own file
        names["Farsight"]().cmake_args()


class Packaging(unittest.TestCase):
    def test_one_version(self):
        self.assertEqual(one(r"^version: (.*)$", "CITATION.cff"), version())
        self.assertEqual(re.match(r"farsight \((.*)-0farsight[0-9]+\) ", text("packaging/debian/changelog"))[1], version())
        self.assertEqual(one(r'^  version: "(.*)"$', "packaging/conda/recipe.yaml"), version())
        self.assertEqual(Spack().versions, [version()])
        self.assertIn(f"/farsight-{version()}.tar.gz", text("packaging/spack/package.py"))
        self.assertIn(f"    Farsight {version()}.\n", text("docs/statistics.md"))

    def test_one_date(self):
        day = one(rf"^## \[{re.escape(version())}\] - (.*)$", "CHANGELOG.md")
        self.assertEqual(one(r'^date-released: "(.*)"$', "CITATION.cff"), day)
        newest = re.search(r"^ -- .*>  (.*)$", text("packaging/debian/changelog"), re.MULTILINE)
        signed = email.utils.parsedate_to_datetime(newest[1])
        self.assertEqual(signed, datetime.datetime.fromisoformat(f"{day}T00:00:00+00:00"))

    def test_options_are_those_of_cmake(self):
        declared = re.findall(r"option\((FARSIGHT_\w+)|set\((FARSIGHT_\w+) .* CACHE ", build())
        ours = {option or cached for option, cached in declared} | {"BUILD_TESTING"}
        for path in ("packaging/debian/rules", "packaging/conda/recipe.yaml"):
            given = set(re.findall(r"-D((?:FARSIGHT|BUILD)_[A-Z]+)=", text(path)))
            self.assertTrue(given and given <= ours, f"{path}: {given - ours}")
        given = set(Spack().options)
        self.assertTrue(given and given <= ours, f"Spack: {given - ours}")

    def test_every_library_has_its_package(self):
        sought = set(re.findall(r"find_package\((\w+)", build()))
        sought |= {call.split()[-1] for call in re.findall(r"pkg_check_modules\((.*)\)", build())}
        self.assertEqual(sought - NO_PACKAGE, set(LIBRARIES))
        spack = Spack().needs
        for debian, conda, of_spack in LIBRARIES.values():
            self.assertIn(f" {debian},", text("packaging/debian/control").split("\n\n")[0])
            self.assertIn(f"\n    - {conda}\n", text("packaging/conda/recipe.yaml"))
            self.assertIn(of_spack, spack)

    def test_one_summary(self):
        summary = one(r'^        DESCRIPTION "(.*)"\)$', "CMakeLists.txt")
        self.assertEqual(one(r'^description = "(.*)"$', "pyproject.toml"), summary)
        self.assertEqual(one(r"^  summary: (.*)$", "packaging/conda/recipe.yaml"), summary)
        self.assertIn(f'"""{summary}', text("packaging/spack/package.py"))


if __name__ == "__main__":
    unittest.main()
