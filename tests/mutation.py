"""scripts/mutate itself: the mutants of a small program are those expected, each changes what it prints, and no other thing does."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import mutants  # noqa: E402

PROGRAM = r"""
#include <stdbool.h>
#include <stdio.h>

enum { SIZE = 3 };
static const int TABLE[SIZE] = {5, 7, 9};

static int sum(int n) {
  static int calls = 0;
  int total = 0;
  for (int i = 0; i < n; ++i) total += TABLE[i]; /* a comment, "quoted" */
  calls++;
  return total + calls;
}

#define LOWEST (-4)

__attribute__((visibility("default"))) int lowest(void);

int lowest(void) { return LOWEST; } /* public: an attribute follows its body in the tree */

static bool outside(double x, bool given) {
  if (!given) return false;
  return x < -0.5 || x > 2.5;
}

int main(void) {
  int n = sum(2);
  switch (n) {
    case 13: puts("13, // not a comment"); break;
    default: puts("another");
  }
  printf("%d %d %d", sum(3), outside(2.5, true), outside(-0.5, true));
  printf(" %d %d %d\n", outside(0.25, true), outside(3, n == 13 && sum(0) != 0), outside(-1.5, true));
  printf("%d %d\n", outside(3, false) ? 4 : 6, lowest());
  return 0;
}
"""
EXPECTED = """
sum | int total = 0 -> int total = 1
sum | int i = 0 -> int i = 1
sum | i < n -> 0
sum | i < n -> i <= n
sum | i < n -> i >= n
sum | total += TABLE[i] -> (removed)
sum | total += TABLE[i] -> total -= TABLE[i]
sum | calls++ -> (removed)
sum | calls++ -> calls--
sum | total + calls -> (total + calls) + 1
sum | total + calls -> total - calls
lowest | return LOWEST -> return (LOWEST) + 1
outside | !given -> !(!given)
outside | !given -> 0
outside | !given -> 1
outside | return false -> return true
outside | x < -0.5 || x > 2.5 -> !(x < -0.5 || x > 2.5)
outside | x < -0.5 || x > 2.5 -> x < -0.5 && x > 2.5
outside | x < -0.5 || x > 2.5 -> 0 || x > 2.5
outside | x < -0.5 || x > 2.5 -> x <= -0.5 || x > 2.5
outside | x < -0.5 || x > 2.5 -> x >= -0.5 || x > 2.5
outside | x < -0.5 || x > 2.5 -> x < 0.5 || x > 2.5
outside | x < -0.5 || x > 2.5 -> x < -1.5 || x > 2.5
outside | x < -0.5 || x > 2.5 -> x < -0.5 || 0
outside | x < -0.5 || x > 2.5 -> x < -0.5 || x >= 2.5
outside | x < -0.5 || x > 2.5 -> x < -0.5 || x <= 2.5
outside | x < -0.5 || x > 2.5 -> x < -0.5 || x > 3.5
"""


def found(folder):
    """The Finder of PROGRAM."""
    source = folder / "program.c"
    source.write_text(PROGRAM)
    tree = mutants.syntax({"command": f"cc -c {source} -o x.o", "directory": str(folder)})
    finder = mutants.Finder("program.c", str(source), source.read_bytes())
    for file, function in mutants.functions(tree):
        if file == str(source):
            finder.find(function)
    mutants.name(finder.mutants())
    return finder


def build(folder, finder):
    """The program with all of its mutants."""
    all_of_them = finder.mutants()
    (folder / "mutant.h").write_text(mutants.HEADER.format(size=1 + len(all_of_them)))
    (folder / "mutated.c").write_text(finder.rewritten(folder / "mutant.h", folder / "mutated.c"))
    subprocess.run(["cc", "-w", "-O1", "-o", str(folder / "mutated"), str(folder / "mutated.c")], check=True)
    return folder / "mutated"


def printed(program, **environment):
    done = subprocess.run(["sh", "-c", 'ulimit -t 5; exec "$0"', str(program)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout


def check(folder):
    finder = found(folder)
    texts = [f"{m.function} | {m.original} -> {m.changed}" for m in finder.mutants()]
    assert [text for text in texts if not text.startswith("main")] == EXPECTED.split("\n")[1:-1], "\n".join(texts)
    assert len({m.id for m in finder.mutants()}) == len(texts)
    assert not any("SIZE" in text or "13:" in text for text in texts), "constants that the compiler must know"
    program = build(folder, finder)
    right = 0, b"13, // not a comment\n23 0 0 0 1 1\n6 -4\n"
    assert printed(program) == right, printed(program)
    for mutant in finder.mutants():
        if mutant.function != "main":
            assert printed(program, FAR_MUTANT=str(mutant.number)) != right, f"{mutant.key} changes nothing"
    reached = folder / "reached"
    reached.write_bytes(bytes(1 + len(texts)))
    assert printed(program, FAR_REACHED=str(reached)) == right
    missed = [m.key for m in finder.mutants() if not reached.read_bytes()[m.number]]
    assert [key.rpartition(" | ")[2] for key in missed] == ['puts("another") -> (removed)',
                                                            "outside(3, false) ? 4 : 6 -> outside(3, false) ? 5 : 6"], missed


def main():
    if not shutil.which("clang"):
        print("No clang: the mutants of scripts/mutate are NOT tested")
        return
    with tempfile.TemporaryDirectory() as folder:
        check(pathlib.Path(folder).resolve())


if __name__ == "__main__":
    main()
