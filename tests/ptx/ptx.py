"""PTX, as nvcc writes it, executed by Python: every kernel becomes a function.

Stricter than a device: what is unknown, unaligned, out of bounds, in another space of memory, read before it is written
or longer than a limit raises. Doubles are Python's, so that all but fused operations have the device's bits.
"""
import math
import re
import struct

from device import BASES, PATTERN, Fault, bits, coarse_rsqrt, divide, inserted, larger, number, permuted, quotient, root, smaller, whole

RUNTIME = {"F": number, "B": bits, "divide": divide, "root": root, "coarse_rsqrt": coarse_rsqrt, "quotient": quotient,
           "larger": larger, "smaller": smaller, "whole": whole, "permuted": permuted, "inserted": inserted, "floor": math.floor,
           "ceil": math.ceil, "trunc": math.trunc, "inf": math.inf, "nan": math.nan, "Fault": Fault}

# ---- source ----

FORMS = {"8": "B", "16": "H", "32": "I", "64": "Q"}
CACHING = {"nc", "cs", "ca", "cg", "lu", "cv", "wb", "wt"}
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
OPPOSITE = {"ltu": ">=", "leu": ">", "gtu": "<=", "geu": "<"}
SPECIAL = {"%tid.x": "tid", "%ntid.x": "ntid", "%ctaid.x": "ctaid", "%nctaid.x": "nctaid"}
LOCAL = 1 << 13  # bytes, at most, of a variable
TYPE = re.compile(r"[busf](8|16|32|64)$")


def width(kind):
    return int(kind[1:])


def mask(kind):
    return (1 << width(kind)) - 1


def split(text):
    """Operands; those in braces are one."""
    return [x.strip() for x in re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,\s{\[][^,]*", text)]


class Kernel:
    """One entry of a module, translated when it is first asked for."""

    def __init__(self, module, name, head, body):
        self.module, self.name, self.body = module, name, body
        self.params = {}
        at = BASES["param"]
        for kind, symbol, count in re.findall(r"\.param (?:\.align \d+ )?\.(\w+) (\w+)(?:\[(\d+)\])?", head):
            self.params[symbol] = (at, width(kind) // 8 * int(count or 1))
            at += 1 << 16
        self.kinds, self.sizes, self.constants = {}, {"local": 0, "shared": 0}, {}
        self.symbols = {**module.symbols, **{symbol: at for symbol, (at, _) in self.params.items()}}
        self.labels, self.counts, self.waits = {}, [], False
        self.run, self.hits = None, None

    # -- operands --

    def value(self, kind, text):
        """An expression: integers without a sign unless the kind has one."""
        if text in SPECIAL:
            return SPECIAL[text]
        if text.startswith("%"):
            return self.register(kind, text)
        if text.startswith("0d"):
            bits = int(text.removeprefix("0d"), 16)
            return f"({number(bits)!r})" if kind == "f64" else str(bits)
        if text in self.symbols:
            return str(self.symbols[text])
        if not re.fullmatch(r"-?(0x[0-9A-Fa-f]+|\d+)U?", text):
            raise Fault(f"{self.name}: unknown operand {text}")
        found = int(text.rstrip("U"), 0)
        if kind == "pred":
            return str(found != 0)
        if kind[0] == "f":
            raise Fault(f"{self.name}: {text} as {kind}")
        found &= mask(kind)
        return f"({found - (1 << width(kind)) if kind[0] == 's' and found >> width(kind) - 1 else found})"

    def register(self, kind, text):
        has, name = self.kind_of(text), text.replace("%", "_")
        if kind == "pred" or has == "pred":
            if kind != has:
                raise Fault(f"{self.name}: {text} is not a {kind}")
            return name
        if kind == "f64":
            return name if has == "f64" else f"F({name})"
        if has == "f64":
            name = f"B({name})"
        if width(has) > width(kind):
            name = f"({name} & {mask(kind)})"
        elif width(has) < width(kind):
            raise Fault(f"{self.name}: {text} is narrower than {kind}")
        half = 1 << width(kind) - 1
        return f"(({name} ^ {half}) - {half})" if kind[0] == "s" else name

    def kind_of(self, text):
        return self.kinds[text.rstrip("0123456789")]

    def assign(self, kind, text, expression):
        """The expression is an integer without a sign, a double or a predicate."""
        has, name = self.kind_of(text), text.replace("%", "_")
        if (kind == "pred") != (has == "pred"):
            raise Fault(f"{self.name}: {kind} in {text}")
        if kind != "pred" and width(has) < width(kind):
            raise Fault(f"{self.name}: {text} is narrower than {kind}")
        if kind == "f64" and has != "f64":
            expression = f"B({expression})"
        elif kind not in ("f64", "pred") and has == "f64":
            expression = f"F({expression})"
        elif kind[0] == "s" and width(has) > width(kind):
            half = 1 << width(kind) - 1
            expression = f"((({expression}) ^ {half}) - {half}) & {mask(has)}"
        return f"{name} = {expression}"

    def address(self, text):
        base, _, offset = text.strip("[]").partition("+")
        kind = self.kind_of(base) if base.startswith("%") else "b64"  # those of shared memory are short
        return f"{self.value(kind, base)} + {int(offset or 0)}"

    # -- instructions --

    def translate(self, text):
        """One instruction as lines of Python."""
        guard = re.match(r"@(!?)(%\w+)\s+(.*)", text)
        if guard:
            inner = self.translate(guard[3])
            return [f"if {'not ' if guard[1] else ''}{guard[2].replace('%', '_')}:"] + ["  " + line for line in inner]
        name, *rest = text.split(None, 1)
        op, *mods = name.split(".")
        method = getattr(self, "op_" + op, None)
        done = method(mods, split(rest[0] if rest else "")) if method else None
        if done is None:
            raise Fault(f"{self.name}: unknown instruction: {text}")
        return done if isinstance(done, list) else [done]

    def two(self, mods, args, whole_form, double_form=None, how=("rn",)):
        """d = a . b; a form has {a}, {b} and {m}, the mask. Without .rn a sum and a product may be fused later."""
        kind = mods[-1]
        if kind == "f64" and double_form and tuple(mods[:-1]) == how:
            return self.assign(kind, args[0], double_form.format(a=self.value(kind, args[1]), b=self.value(kind, args[-1])))
        if kind[0] == "f" or mods[:-1] not in ([], ["lo"]):
            return None
        parts = {"a": self.value(kind, args[1]), "b": self.value(kind, args[-1]), "m": mask(kind)}
        return self.assign("b" + kind[1:], args[0], whole_form.format(**parts))

    def op_add(self, mods, args):
        return self.two(mods, args, "({a} + {b}) & {m}", "{a} + {b}")

    def op_sub(self, mods, args):
        return self.two(mods, args, "({a} - {b}) & {m}", "{a} - {b}")

    def op_mul(self, mods, args):
        kind = mods[-1]
        if mods[0] in ("wide", "hi"):
            wide = f"{self.value(kind, args[1])} * {self.value(kind, args[2])} & {(1 << 2 * width(kind)) - 1}"
            to = f"b{2 * width(kind)}"
            return self.assign(to, args[0], wide) if mods[0] == "wide" else self.assign("b" + kind[1:], args[0], f"({wide}) >> {width(kind)}")
        return self.two(mods, args, "{a} * {b} & {m}", "{a} * {b}")

    def op_mad(self, mods, args):
        kind = mods[-1]
        to = {"lo": kind, "wide": f"{kind[0]}{2 * width(kind)}"}.get(mods[0])
        if to is None or len(mods) != 2 or kind[0] == "f":
            return None
        parts = f"({self.value(kind, args[1])} * {self.value(kind, args[2])} + {self.value(to, args[3])}) & {mask(to)}"
        return self.assign("b" + to[1:], args[0], parts)

    def op_div(self, mods, args):
        return self.two(mods, args, "quotient({a}, {b}) & {m}", "divide({a}, {b})")

    def op_rem(self, mods, args):
        return self.two(mods, args, "{a} - quotient({a}, {b}) * {b} & {m}")

    def op_rcp(self, mods, args):
        return self.assign("f64", args[0], f"divide(1.0, {self.value('f64', args[1])})") if mods == ["rn", "f64"] else None

    def op_sqrt(self, mods, args):
        return self.assign("f64", args[0], f"root({self.value('f64', args[1])})") if mods == ["rn", "f64"] else None

    def op_rsqrt(self, mods, args):
        return self.assign("f64", args[0], f"coarse_rsqrt({self.value('f64', args[1])})") if mods == ["approx", "ftz", "f64"] else None

    def op_min(self, mods, args):
        return self.two(mods, args, "min({a}, {b}) & {m}", "smaller({a}, {b})", ())

    def op_max(self, mods, args):
        return self.two(mods, args, "max({a}, {b}) & {m}", "larger({a}, {b})", ())

    def op_neg(self, mods, args):
        return self.two(mods, args, "-{a} & {m}", "-{a}", ())

    def op_abs(self, mods, args):
        return self.two(mods, args, "abs({a}) & {m}", "abs({a})", ())

    def logic(self, mods, args, form, form_of_predicates):
        if mods == ["pred"]:
            parts = {"a": self.value("pred", args[1]), "b": self.value("pred", args[-1])}
            return self.assign("pred", args[0], form_of_predicates.format(**parts))
        return self.two(mods, args, form)

    def op_and(self, mods, args):
        return self.logic(mods, args, "{a} & {b}", "{a} and {b}")

    def op_or(self, mods, args):
        return self.logic(mods, args, "{a} | {b}", "{a} or {b}")

    def op_xor(self, mods, args):
        return self.logic(mods, args, "{a} ^ {b}", "{a} != {b}")

    def op_not(self, mods, args):
        return self.logic(mods, args, "{a} ^ {m}", "not {a}")

    def shift(self, mods, args, form):
        kind = mods[-1]
        parts = {"a": self.value(kind, args[1]), "b": self.value("u32", args[2]), "n": width(kind), "m": mask(kind)}
        return self.assign("b" + kind[1:], args[0], form.format(**parts)) if len(mods) == 1 else None

    def op_shl(self, mods, args):
        return self.shift(mods, args, "{a} << min({b}, {n}) & {m}")

    def op_shr(self, mods, args):
        return self.shift(mods, args, "{a} >> min({b}, {n}) & {m}")

    def op_shf(self, mods, args):
        a, b, c = (self.value("b32", x) for x in args[1:])
        both = f"({b} << 32 | {a})"
        forms = {("l", "wrap", "b32"): f"{both} << ({c} & 31) >> 32 & {mask('b32')}",
                 ("r", "wrap", "b32"): f"{both} >> ({c} & 31) & {mask('b32')}"}
        return self.assign("b32", args[0], forms[tuple(mods)]) if tuple(mods) in forms else None

    def op_prmt(self, mods, args):
        a, b, c = (self.value("b32", x) for x in args[1:])
        return self.assign("b32", args[0], f"permuted({a}, {b}, {c})") if mods == ["b32"] else None

    def op_bfi(self, mods, args):
        kind = mods[0]
        a, b, at, length = (self.value(k, x) for k, x in zip((kind, kind, "u32", "u32"), args[1:], strict=True))
        return self.assign(kind, args[0], f"inserted({width(kind)}, {a}, {b}, {at}, {length})")

    def op_setp(self, mods, args):
        if len(mods) != 2 or "|" in args[0]:
            return None
        how, kind = mods
        a, b = (self.value(kind, x) for x in args[1:])
        if kind != "f64":
            return self.assign("pred", args[0], f"{a} {COMPARE[how]} {b}") if how in COMPARE else None
        forms = {"ne": f"{a} < {b} or {a} > {b}", "neu": f"{a} != {b}", "equ": f"not ({a} < {b} or {a} > {b})",
                 "nan": f"{a} != {a} or {b} != {b}", "num": f"{a} == {a} and {b} == {b}"}
        if how in OPPOSITE:
            return self.assign("pred", args[0], f"not {a} {OPPOSITE[how]} {b}")
        return self.assign("pred", args[0], forms[how] if how in forms else f"{a} {COMPARE[how]} {b}")

    def op_selp(self, mods, args):
        kind = mods[0] if mods[0][0] == "f" else "b" + mods[0][1:]
        a, b, p = self.value(kind, args[1]), self.value(kind, args[2]), self.value("pred", args[3])
        return self.assign(kind, args[0], f"{a} if {p} else {b}")

    def op_mov(self, mods, args):
        kind = mods[0]
        if args[0].startswith("{"):
            low, high = split(args[0].strip("{}"))
            half = f"b{width(kind) // 2}"
            x = self.value(kind, args[1])
            return [self.assign(half, low, f"{x} & {mask(half)}"), self.assign(half, high, f"{x} >> {width(half)}")]
        if args[1].startswith("{"):
            half = f"b{width(kind) // 2}"
            low, high = (self.value(half, x) for x in split(args[1].strip("{}")))
            return self.assign(kind, args[0], f"{high} << {width(half)} | {low}")
        if kind not in ("pred", "f64"):
            kind = "b" + kind[1:]
        return self.assign(kind, args[0], self.value(kind, args[1]))

    def op_cvt(self, mods, args):
        *how, to, kind = mods
        x = self.value(kind, args[1])
        if how == [] and to[0] != "f" and kind[0] != "f":
            return self.assign(to, args[0], f"{x} & {mask(to)}")
        if how == ["rn"] and to == "f64" and kind[0] in "us":
            return self.assign(to, args[0], f"float({x})")
        rounded = {"rzi": "trunc", "rni": "round", "rmi": "floor", "rpi": "ceil"}.get(how[0] if how else "")
        if rounded and kind == "f64" and to[0] in "us" and len(how) == 1:
            low, high = (-(1 << width(to) - 1), (1 << width(to) - 1) - 1) if to[0] == "s" else (0, mask(to))
            return self.assign("b" + to[1:], args[0], f"whole({x}, {rounded}, {low}, {high}) & {mask(to)}")
        return None

    def op_cvta(self, mods, args):
        return self.assign("b64", args[0], self.value("b64", args[1])) if mods[-1] == "u64" else None

    def access(self, mods):
        """Space, kind and the name of the form of what is read or written."""
        space, count, kind = "", 1, mods[-1]
        for mod in mods[:-1]:
            if mod in ("param", "global", "local", "shared"):
                space = mod
            elif mod in ("v2", "v4"):
                count = int(mod[1])
            elif mod not in CACHING:
                return None
        if not TYPE.match(kind) or kind == "f32":
            return None
        form = "<" + ("d" if kind == "f64" else FORMS[kind[1:]]) * count
        name = f"form_{form[1:]}"
        self.constants[name] = struct.Struct(form)
        return space, kind, name

    def op_ld(self, mods, args):
        found = self.access(mods)
        if found is None:
            return None
        space, kind, form = found
        load = f"load({space!r}, {self.address(args[1])}, {form})"
        targets = split(args[0].strip("{}"))
        if len(targets) == 1:
            return self.assign(kind, targets[0], f"{load}[0]")
        return [f"x = {load}"] + [self.assign(kind, to, f"x[{i}]") for i, to in enumerate(targets)]

    def op_st(self, mods, args):
        found = self.access(mods)
        if found is None or found[0] == "param":
            return None
        space, kind, form = found
        kind = kind if kind == "f64" else "b" + kind[1:]
        values = ", ".join(self.value(kind, x) for x in split(args[1].strip("{}")))
        return f"store({space!r}, {self.address(args[0])}, {form}, {values})"

    def op_atom(self, mods, args):
        if mods[0] != "global" or mods[1] not in ("min", "max") or mods[2] not in ("u32", "u64"):
            return None
        name = f"form_{FORMS[mods[2][1:]]}"
        self.constants[name] = struct.Struct("<" + FORMS[mods[2][1:]])
        change = f"lambda old, new={self.value(mods[2], args[2])}: {mods[1]}(old, new)"
        return self.assign("b" + mods[2][1:], args[0], f"atomic({self.address(args[1])}, {name}, {change})")

    def op_bra(self, mods, args):
        return [f"at = {self.labels[args[0]]}", "continue"] if mods in ([], ["uni"]) else None

    def op_ret(self, mods, args):
        return "return"

    def op_bar(self, mods, args):
        self.waits = True
        return "yield None" if mods == ["sync"] and args == ["0"] else None

    def op_shfl(self, mods, args):
        """All lanes of the warp take part; a butterfly has a partner for each."""
        if mods != ["sync", "bfly", "b32"]:
            return None
        self.waits = True
        to, _, there = args[0].partition("|")
        a, b, c, members = (self.value("b32", x) for x in args[1:])
        lines = [f"if {c} != 31 or {members} != 0xffffffff: raise Fault('a shuffle of a part of a warp')",
                 self.assign("b32", to, f"yield ({a}, {b})")]
        return lines + ([self.assign("pred", there, "True")] if there else [])

    # -- the function --

    def statements(self):
        """Labels and instructions; declarations are noted."""
        for text in re.sub(r"^\s*[{}]\s*$", "", self.body, flags=re.M).split(";"):
            *labels, text = (x.strip() for x in re.split(r"(\$\w+):", text))
            yield from (label + ":" for label in labels if label)
            if text.startswith("."):
                self.declare(" ".join(text.split()))
            elif text:
                yield text

    def declare(self, text):
        register = re.fullmatch(r"\.reg \.(\w+) (%\w+?)(<\d+>)?", text)
        variable = re.fullmatch(r"\.(local|shared) \.align \d+ \.b8 (\w+)\[(\d+)\]", text)
        if register:
            self.kinds[register[2]] = register[1]
        elif variable:
            if self.sizes[variable[1]]:
                raise Fault(f"{self.name}: two variables of a {variable[1]} memory")
            self.sizes[variable[1]] = int(variable[3])
            self.symbols[variable[2]] = BASES["shared"] if variable[1] == "shared" else "local"
            if int(variable[3]) > LOCAL:
                raise Fault(f"{self.name}: a variable of {variable[3]} bytes")
        elif not text.startswith((".pragma", ".loc")):
            raise Fault(f"{self.name}: unknown declaration: {text}")

    def compile(self):
        blocks = [[]]
        for text in self.statements():
            if text.endswith(":"):
                self.labels[text[:-1]] = len(blocks)
                blocks.append([])
            else:
                blocks[-1].append(text)
        lines = ["def kernel(load, store, atomic, hits, left, tid, ntid, ctaid, nctaid, local):", " at = 0", " while True:"]
        self.tree(lines, blocks, 0, len(blocks), 2)
        space = {**RUNTIME, **self.constants}
        exec(compile("\n".join(lines), self.name, "exec"), space)  # pylint: disable=exec-used
        self.run, self.hits = space["kernel"], bytearray(len(blocks))
        self.counts = [len(block) for block in blocks]

    def tree(self, lines, blocks, low, high, depth):
        indent = " " * depth
        if high - low > 1:
            middle = (low + high) // 2
            lines.append(f"{indent}if at < {middle}:")
            self.tree(lines, blocks, low, middle, depth + 1)
            lines.append(f"{indent}else:")
            self.tree(lines, blocks, middle, high, depth + 1)
            return
        lines += [f"{indent}hits[{low}] = 1", f"{indent}left -= {len(blocks[low]) + 1}", f"{indent}if left < 0: raise Fault('it hangs')"]
        for text in blocks[low]:
            lines += [indent + line for line in self.translate(text)]
        lines += [f"{indent}at = {low + 1}", f"{indent}continue"] if low + 1 < len(blocks) else [f"{indent}return"]

    # -- a launch --

    def launch(self, memory, values, blocks, threads, limit):
        """Parameters as bytes, `blocks` of so many threads, each with at most `limit` instructions."""
        if self.run is None:
            self.compile()
        if [len(x) for x in values] != [size for _, size in self.params.values()]:
            raise Fault(f"{self.name}: parameters of {[len(x) for x in values]} bytes")
        for (at, _), value in zip(self.params.values(), values, strict=True):
            memory.add(at, bytes(value), "param")
        for name, data in self.module.data.items():
            memory.add(self.module.symbols[name], data)
        for block in range(blocks):
            memory.add(BASES["shared"], bytearray([PATTERN]) * self.sizes["shared"], "shared")
            running = []
            for thread in range(threads):
                local = BASES["local"] + thread * LOCAL
                memory.add(local, bytearray([PATTERN]) * self.sizes["local"], "local")
                begun = self.run(memory.load, memory.store, memory.atomic, self.hits, limit, thread, threads, block, blocks, local)
                running.append(begun)
            if self.waits:
                together(running)

    def covered(self):
        """Instructions of blocks that were entered, and all."""
        if self.run is None:
            return 0, 1
        return sum(n for n, hit in zip(self.counts, self.hits, strict=True) if hit), sum(self.counts)


def together(threads):
    """Threads of a block, from barrier to barrier and from shuffle to shuffle."""
    asked = {i: next(thread, "ended") for i, thread in enumerate(threads)}
    while asked := {i: x for i, x in asked.items() if x != "ended"}:
        shuffling = {i: x for i, x in asked.items() if x is not None}
        if not shuffling:
            asked = {i: next(threads[i], "ended") for i in asked}
        for i, (_, step) in shuffling.items():
            if i ^ step not in shuffling:
                raise Fault("a shuffle with a thread that does not take part")
            asked[i] = resume(threads[i], shuffling[i ^ step][0])


def resume(thread, value):
    try:
        return thread.send(value)
    except StopIteration:
        return "ended"


class Module:
    """The kernels and variables of a file."""

    def __init__(self, text):
        text = re.sub(r"//[^\n]*", "", text)
        self.symbols, self.data, self.kernels = {}, {}, {}
        at = BASES["global"]
        for name, count, values in re.findall(r"^\.(?:global|const) \.align \d+ \.b8 (\w+)\[(\d+)\](?: = \{([^}]*)\})?;", text, re.M):
            self.symbols[name], self.data[name] = at, bytes(int(x) for x in values.split(",")) if values else bytearray(int(count))
            at += 1 << 16
        if re.search(r"^\.(visible )?\.?func|\bcall\b", text, re.M):
            raise Fault("functions are not known here")
        for name, head, body in re.findall(r"\.entry (\w+)\(([^)]*)\)[^{]*\{(.*?)^\}", text, re.M | re.S):
            self.kernels[name] = Kernel(self, name, head, body)

    def kernel(self, name):
        """By the name in the source."""
        found = [k for mangled, k in self.kernels.items() if f"{len(name)}{name}E" in mangled]
        return found[0] if len(found) == 1 else None
