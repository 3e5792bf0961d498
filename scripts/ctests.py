"""Lists the tests of a build folder from ctest, for scripts/mutate and scripts/coverage: what each runs, and what must be built for it."""

import os
import re
import shlex


def tests(out, wanted, left_out):
    """name -> command of the tests in the build folder OUT whose names have WANTED in them and do not match LEFT_OUT."""
    text = (out / "tests" / "CTestTestfile.cmake").read_text()
    found = {match[1]: shlex.split(match[2]) for match in re.finditer(r"^add_test\(\[=\[(.*?)\]=\] (.*)\)$", text, re.M)}
    return {name: words for name, words in found.items() if re.search(wanted, name) and not re.match(left_out, name)}


def targets(out, chosen):
    """The programs and modules of the build folder OUT that the tests CHOSEN need."""
    made = {os.path.basename(word) for words in chosen.values() for word in words if word.startswith(f"{out}/")}
    return sorted(re.sub(r"^lib(.*)\.so$", r"\1", name) for name in made)
