"""Finds the mutants of C sources in clang's syntax tree, and writes them beside the original code.

All mutants of a file are compiled at once (*mutant schemata*): `a < b` becomes `(FAR_MUTANT(17) ? (a <= b) : (a < b))`, and
an environment variable selects the active one while a test runs. scripts/mutate builds and runs them; docs/mutation.md has the
operators and the reasons.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess

NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"}
LOGICAL = {"&&": "||", "||": "&&"}
STEP = {"++": "--", "--": "++"}
UNEVALUATED = {"ConstantExpr", "UnaryExprOrTypeTraitExpr", "StaticAssertDecl", "EnumDecl", "RecordDecl", "TypedefDecl"}
TRANSPARENT = {"ParenExpr", "ImplicitCastExpr"}
RELEASES = re.compile(r"(^|_)free$|^munmap$")  # without them memory leaks: the address sanitizer looks for that
NEEDS_CONSTANTS = re.compile(r"^(_mm|__builtin_)")
BETWEEN = re.compile(r'"(?:\\.|[^"\\])*"|(?:/\*.*?\*/|//[^\n]*|\s)+', re.S)  # strings, which stay, and what is between tokens
CLEAR = 60  # a change of a few characters is shown within an expression of at most so many

HEADER = """#ifndef FAR_MUTANT
#define FAR_MUTANT(n) (far_mutant_table[n] && far_mutant_alive(n))
__attribute__((weak, visibility("hidden"))) unsigned char far_mutant_table[{size}];
__attribute__((weak, visibility("hidden"))) unsigned char *far_mutant_reached;
int open(const char *, int, ...);
void *mmap(void *, unsigned long, int, int, int, long);
char *getenv(const char *);
int atoi(const char *);
/* FAR_REACHED names a file with a byte for each mutant: those that are reached become 1. FAR_MUTANT is the one alive. */
__attribute__((weak, visibility("hidden"), constructor)) void far_mutant_begin(void) {{
  static int begun;
  const char *alive = getenv("FAR_MUTANT"), *file = getenv("FAR_REACHED");
  if (begun++) return;
  if (alive) far_mutant_table[atoi(alive)] = 1;
  if (!file) return;
  far_mutant_reached = (unsigned char *)mmap(0, {size}, 3, 1, open(file, 2), 0);
  for (int i = 0; i < {size}; ++i) far_mutant_table[i] = 1;
}}
__attribute__((weak, visibility("hidden"), noinline, cold)) int far_mutant_alive(int n) {{
  if (!far_mutant_reached) return 1;
  far_mutant_reached[n] = 1;
  return far_mutant_table[n] = 0;
}}
#endif
"""


class Mutant:
    """One change: the text between two offsets of a file, and what stands there instead."""

    def __init__(self, file, function, line, span, original, changed, code):
        self.file, self.function, self.line, self.span = file, function, line, span
        self.original, self.changed, self.code = original, changed, code
        self.number = self.id = None

    @property
    def key(self):
        return f"{self.file} | {self.function} | {self.original} -> {self.changed}"


class Site:
    """All changes of one stretch of text."""

    def __init__(self, start, end):
        self.start, self.end, self.mutants, self.statement = start, end, [], False


def plain(text):
    """TEXT on one line and without comments."""
    return BETWEEN.sub(lambda m: m[0] if m[0][0] == '"' else " ", text).strip()


def brief(original, changed):
    """Both texts, long ones around the change only."""
    if len(original) <= CLEAR + 20:
        return original, changed
    same = os.path.commonprefix([original, changed])
    tail = os.path.commonprefix([original[len(same):][::-1], changed[len(same):][::-1]])
    if len(same) + len(tail) < CLEAR // 2:
        return original[:CLEAR] + "...", changed if len(changed) < CLEAR else changed[:CLEAR] + "..."
    cut, rest = max(0, len(same) - CLEAR // 2), max(0, len(tail) - CLEAR // 2)

    def part(text):
        return "..." * (cut > 0) + text[cut:len(text) - rest] + "..." * (rest > 0)
    return part(original), part(changed)


def say_files(node, file):
    """Writes the file of every location into it; clang names a file only where it differs from the one before."""
    stack = [node]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(reversed(value))
        elif "offset" in value:
            file = value["file"] = value.get("file", file)
        else:
            stack.extend(reversed([v for k, v in value.items() if k != "includedFrom" and isinstance(v, (dict, list))]))


def syntax(command):
    """The syntax tree of the file that COMMAND, of compile_commands.json, compiles."""
    words = shlex.split(command["command"])
    while not re.search(r"(^|/)(cc|gcc|clang)[-0-9.]*$", words[0]):
        del words[0]  # a launcher, as ccache
    del words[0]
    if "-o" in words:
        at = words.index("-o")
        del words[at:at + 2]
    words = ["clang", *words, "-w", "-Qunused-arguments", "-Wno-unknown-warning-option", "-fsyntax-only", "-Xclang", "-ast-dump=json"]
    done = subprocess.run(words, cwd=command["directory"], capture_output=True)
    tree = json.loads(done.stdout)
    say_files(tree, None)
    return tree


def body(function):
    """The body of a FunctionDecl, or None; attributes, such as the visibility of public functions, may follow it."""
    return next((child for child in function.get("inner", []) if child.get("kind") == "CompoundStmt"), None)


def functions(tree):
    """(file, function) for every body in TREE."""
    for node in tree["inner"]:
        if node["kind"] == "FunctionDecl" and body(node):
            where = body(node)["range"]["begin"]
            if "file" in where:
                yield where["file"], node


def inner(node):
    return [child for child in node.get("inner", []) if child.get("kind")]


def strip(node):
    while node["kind"] in TRANSPARENT:
        node = inner(node)[0]
    return node


def type_of(node):
    kind = node.get("type", {})
    return kind.get("desugaredQualType", kind.get("qualType", ""))


def has_effect(node):
    if node["kind"] in ("CallExpr", "CompoundAssignOperator"):
        return True
    if (node["kind"] == "BinaryOperator" and node["opcode"] == "=") or node.get("opcode") in STEP:
        return True
    return any(has_effect(child) for child in inner(node))


def called(node):
    """The name of the function that a CallExpr calls, or ''."""
    return strip(inner(node)[0]).get("referencedDecl", {}).get("name", "")


class Finder:
    """The mutants of the functions of one file."""

    def __init__(self, file, path, text):
        self.file, self.path, self.text = file, path, text
        self.sites, self.seen = {}, set()
        self.function = ""

    # ---- text ----
    def place(self, where, end):
        """The offset of a location in the text, or None where another file or the inside of a macro has it."""
        if "spellingLoc" in where:
            spelled, where = where["spellingLoc"], where["expansionLoc"]
            if where.get("isMacroArgExpansion") or spelled.get("isMacroArgExpansion"):
                where = spelled
        if "offset" not in where or where.get("file") != self.path:
            return None
        return where["offset"] + (where["tokLen"] if end else 0)

    def span(self, node):
        first, last = node["range"]["begin"], node["range"]["end"]
        start, end = self.place(first, False), self.place(last, True)
        if start is None or end is None or start >= end:
            return None
        if "spellingLoc" in last and self.text[end:end + 1] == b"(":
            return None  # a macro with arguments
        return None if re.search(rb"\n\s*#", self.text[start:end]) else (start, end)

    def in_macro(self, node):
        return "spellingLoc" in node["range"]["begin"] and "spellingLoc" in node["range"]["end"]

    def read(self, span):
        return self.text[span[0]:span[1]].decode()

    def shown(self, node, parents, changed):
        """The change as (original, changed), within an expression that is large enough to be understood."""
        span = self.span(node)
        shown = (plain(self.read(span)), changed)
        for parent in reversed(parents):
            outer = self.span(parent)
            if len(shown[0]) > 12 or outer is None or outer[0] > span[0] or outer[1] < span[1] or outer[1] - outer[0] > CLEAR:
                break
            if parent["kind"].endswith(("Stmt", "Decl")) and parent["kind"] not in ("ReturnStmt", "VarDecl"):
                break
            whole = self.text[outer[0]:span[0]].decode(), self.text[span[1]:outer[1]].decode()
            shown = plain(self.read(outer)), plain(whole[0] + changed + whole[1])
        return shown

    # ---- mutants ----
    def add(self, node, parents, changed, code=None, statement=False):
        span = self.span(node)
        if span is None or (span, changed) in self.seen or changed == self.read(span):
            return  # the last: within a macro, which is all that is read
        self.seen.add((span, changed))
        site = self.sites.setdefault(span, Site(*span))
        site.statement |= statement
        original, after = brief(*(self.shown(node, parents, changed) if not statement else (plain(self.read(span)), changed)))
        line = self.text.count(b"\n", 0, span[0]) + 1
        site.mutants.append(Mutant(self.file, self.function, line, span, original, after, code or changed))

    def two_sides(self, node, opcode):
        """The expression with another operator, or None where a macro hides the sides."""
        left, right = (self.span(side) for side in inner(node)[:2])
        if left is None or right is None or left[1] > right[0]:
            return None
        whole = self.span(node)
        if whole is None or whole[0] > left[0] or whole[1] < right[1]:
            return None
        before, middle, after = ((whole[0], left[1]), (left[1], right[0]), (right[0], whole[1]))
        old = self.read(middle)
        if old.count(node["opcode"]) != 1:
            return None
        return plain(self.read(before) + old.replace(node["opcode"], opcode) + self.read(after))

    def operator(self, node, parents):
        opcode = node["opcode"]
        others = [table[opcode] for table in (BOUNDARY, NEGATED, ARITHMETIC, LOGICAL) if opcode in table]
        if node["kind"] == "CompoundAssignOperator":
            others = [ARITHMETIC[opcode[:-1]] + "="] if opcode[:-1] in ARITHMETIC else []
        pointers = sum("*" in type_of(side) or "[" in type_of(side) for side in inner(node))
        if opcode in ARITHMETIC and pointers == 2:
            return  # there is no sum of pointers
        for other in others:
            changed = self.two_sides(node, other)
            if changed:
                self.add(node, parents, changed)

    def decide(self, node, parents, value):
        span = self.span(node)
        if span:
            self.add(node, parents, str(value), f"(({plain(self.read(span))}), {value})" if has_effect(node) else str(value))

    def negate(self, node, parents):
        core = strip(node)
        if core.get("opcode") in NEGATED or core.get("opcode") in LOGICAL:
            return  # the operator has its own
        span = self.span(node)
        if span:
            text = plain(self.read(span))
            self.add(node, parents, f"!{text}" if re.fullmatch(r"[\w.>\-]+(\(.*\))?", text) else f"!({text})")

    def condition(self, node, parents, loop=False):
        if self.in_macro(node) and self.span(node) is None:
            return
        self.negate(node, parents)
        self.decide(node, parents, 0)
        if not loop:
            self.decide(node, parents, 1)

    def sides(self, node, parents):
        """A side of && made true, one of || made false: the side is as if it were not there."""
        for side in inner(node):
            if strip(side).get("opcode") not in LOGICAL:
                self.negate(side, parents + [node])
                self.decide(side, parents + [node], int(node["opcode"] == "&&"))

    def literal(self, node, parents):
        span = self.span(node)
        if span is None:
            return
        text = self.read(span)
        if text in ("true", "false"):
            self.add(node, parents, "false" if text == "true" else "true")
        if self.in_macro(node) and not re.match(r"[0-9.]", text):
            return
        value = float(node["value"]) if node["kind"] == "FloatingLiteral" else int(node["value"])
        if value != 1 and self.bounds_whole_numbers(node, parents):
            return  # i < 3 -> i < 4 is i <= 3
        if value == 1:
            self.add(node, parents, "0", f"(({text}) - 1)")
        elif abs(value) < 1e15:
            self.add(node, parents, f"{value + 1:g}" if value < 1e5 else f"({text} + 1)", f"(({text}) + 1)")
        else:
            self.add(node, parents, f"({text} / 2)")

    def bounds_whole_numbers(self, node, parents):
        """Whether the literal NODE, with 1 more, is what the boundary mutant of the comparison around it is."""
        while parents and parents[-1]["kind"] in TRANSPARENT:
            node, parents = parents[-1], parents[:-1]
        outer = parents[-1] if parents else {}
        if outer.get("opcode") not in BOUNDARY or "double" in type_of(node) or "float" in type_of(node):
            return False
        return outer["opcode"] in (("<", ">=") if inner(outer)[1] is node else ("<=", ">"))

    def returned(self, node, parents):
        value = inner(node)[0] if inner(node) else None
        core = strip(value) if value else None
        if core is None or core["kind"].endswith("Literal") or core.get("opcode") in NEGATED:
            return  # nothing, or what has mutants of its own
        span, kind = self.span(value), type_of(value)
        if span is None:
            return
        text = plain(self.read(span))
        if "*" in kind:
            if text != "NULL":
                self.add(value, parents + [node], "NULL", "0")
        elif kind in ("_Bool", "bool"):
            self.add(value, parents + [node], f"!({text})")
        elif not re.match(r"(const )?(struct|union|__attribute__)", kind) and "vector" not in kind and kind != "void":
            self.add(value, parents + [node], f"({text}) + 1")

    def remove(self, node, parents):
        core = node
        while core["kind"] in TRANSPARENT or core["kind"] == "CStyleCastExpr":
            core = inner(core)[0]
        call = core["kind"] == "CallExpr"
        if (call and RELEASES.search(called(core))) or self.in_macro(node):
            return
        if call or core["kind"] == "CompoundAssignOperator" or core.get("opcode") in ("=", *STEP):
            self.add(node, parents, "(removed)", "(void)0", statement=True)

    # ---- the walk ----
    def walk(self, node, parents):
        kind, children = node["kind"], inner(node)
        if kind in UNEVALUATED or (kind == "VarDecl" and node.get("storageClass") == "static"):
            return
        if kind == "ImplicitCastExpr" and node.get("castKind") == "NullToPointer":
            return
        if kind == "CallExpr" and NEEDS_CONSTANTS.match(called(node)):
            return
        self.visit(node, kind, children, parents)
        skip = node["inner"][3] if kind == "ForStmt" else None  # its step: nearly every change of it is an endless loop
        for child in children:
            if child is not skip:
                self.walk(child, parents + [node])

    def visit(self, node, kind, children, parents):
        here = parents + [node]
        if kind in ("IfStmt", "ConditionalOperator"):
            self.condition(children[0], here)
        elif kind == "WhileStmt":
            self.condition(children[0], here, loop=True)
        elif kind == "DoStmt":
            self.condition(children[-1], here, loop=True)
        elif kind == "ForStmt" and node["inner"][2].get("kind"):
            self.condition(node["inner"][2], here, loop=True)
        elif kind in ("BinaryOperator", "CompoundAssignOperator"):
            self.operator(node, parents)
            if node["opcode"] in LOGICAL:
                self.sides(node, parents)
        elif kind == "UnaryOperator":
            self.unary(node, parents)
        elif kind in ("IntegerLiteral", "FloatingLiteral"):
            self.literal(node, parents)
        elif kind == "ReturnStmt":
            self.returned(node, parents)
        for child in self.statements(node, kind, children):
            self.remove(child, here)

    def statements(self, node, kind, children):
        if kind == "IfStmt":
            return children[1:]
        if kind in ("ForStmt", "WhileStmt", "CaseStmt", "DefaultStmt", "LabelStmt"):
            return children[-1:]
        if kind == "DoStmt":
            return children[:1]
        return children if kind == "CompoundStmt" else []

    def unary(self, node, parents):
        span = self.span(node)
        operand = self.span(inner(node)[0])
        if span is None or operand is None:
            return
        text = plain(self.read(operand))
        if node["opcode"] in STEP:
            other = STEP[node["opcode"]]
            self.add(node, parents, text + other if node.get("isPostfix") else other + text)
        elif node["opcode"] == "-":
            self.add(node, parents, text, f"({text})")

    def find(self, function):
        self.function = function["name"]
        self.walk(body(function), [])

    # ---- the new text ----
    def mutants(self):
        return [m for site in sorted(self.sites.values(), key=lambda s: (s.start, -s.end)) for m in site.mutants]

    def rewritten(self, include, place):
        """The text with all mutants that have a number, for a file at PLACE; lines keep their numbers."""
        sites = sorted((s for s in self.sites.values() if any(m.number for m in s.mutants)), key=lambda s: (s.start, -s.end))
        out, at, self.next = [], 0, 0
        while self.next < len(sites):
            site = sites[self.next]
            out += [self.text[at:site.start].decode(), self.nested(sites)]
            at = site.end
        return f'#include "{include}" \n#line 1 "{place}"\n' + "".join(out) + self.text[at:].decode()

    def nested(self, sites):
        site = sites[self.next]
        self.next += 1
        out, at = [], site.start
        while self.next < len(sites) and sites[self.next].start < site.end:
            child = sites[self.next]
            out += [self.text[at:child.start].decode(), self.nested(sites)]
            at = child.end
        out.append(self.text[at:site.end].decode())
        cast = "(void)" if site.statement else ""
        arms = "".join(f"FAR_MUTANT({m.number}) ? {cast}({m.code}) : " for m in site.mutants if m.number)
        return f"({arms}{cast}({''.join(out)}))"


def name(mutants):
    """Numbers from 1 for this build; ids that stay while the function and the text do."""
    seen = {}
    for number, mutant in enumerate(mutants, 1):
        seen[mutant.key] = seen.get(mutant.key, 0) + 1
        if seen[mutant.key] > 1:
            mutant.changed += f" #{seen[mutant.key]}"
        mutant.number = number
        mutant.id = hashlib.sha256(mutant.key.encode()).hexdigest()[:8]
