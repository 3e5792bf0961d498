#!/usr/bin/env python3
"""Every public header compiles alone, as C and as C++, and declares its functions as C.

usage: headers.py INCLUDE_FOLDER C_COMPILER [CXX_COMPILER ...]
"""
import pathlib
import re
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-fsyntax-only"]
C_STANDARD, CXX_STANDARD = "c99", "c++11"  # the oldest that docs/api.md promises


def compiles(compiler, language, standard, folder, header):
    text = f"#include <farsight/{header}>\n#include <farsight/{header}>\nextern int used;\n"
    command = [compiler, "-x", language, f"-std={standard}", *WARNINGS, "-I", str(folder), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{header} is not {standard} by {compiler}:\n{done.stderr}")
    return done.returncode == 0


def declares_as_c(path):
    text = path.read_text()
    functions = re.search(r"^FAR_API|^static inline", text, re.M)
    opened, closed = text.find('extern "C" {'), text.rfind("#ifdef __cplusplus\n}\n#endif")
    good = functions is None or 0 < opened < functions.start() < closed
    if not good:
        print(f'{path.name} has functions outside extern "C"')
    includes = [m.start() for m in re.finditer(r"^#include", text, re.M)]
    if opened > 0 and includes and max(includes) > opened:
        print(f'{path.name} includes another header inside extern "C"')
        return False
    return good


def main():
    folder, c, cxx = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    results = []
    for path in sorted((folder / "farsight").iterdir()):
        results.append(path.suffix == ".h")
        if path.suffix != ".h":
            print(f"{path.name} is no header, and would be installed")
            continue
        results.append(declares_as_c(path))
        results.append(compiles(c, "c", C_STANDARD, folder, path.name))
        results += [compiles(x, "c++", CXX_STANDARD, folder, path.name) for x in cxx]
    if not cxx:
        print("no C++ compiler: the headers were NOT compiled as C++")
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return not results or not all(results)


sys.exit(main())
