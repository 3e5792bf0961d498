#!/usr/bin/env python3
"""make_math_reference.py FILE: arguments and values of log and exp from 50-digit decimal arithmetic, for math.c.

A value is kept as two doubles, high + low, so that errors far below one unit in the last place
can be measured.
"""
import math
import pathlib
import random
import sys
from decimal import Decimal, getcontext

getcontext().prec = 50
rng = random.Random(20181808)


def split(value):
    high = float(value)
    return high, float(value - Decimal(high))


def log_arguments():
    near_one = [1 + rng.uniform(-1, 1) * 2.0 ** -rng.randint(1, 52) for _ in range(300)]
    wide = [math.ldexp(rng.uniform(0.5, 1), rng.randint(-1070, 1023)) for _ in range(500)]
    unit = [rng.uniform(0, 1) for _ in range(200)]
    edges = [5e-324, 2.2250738585072014e-308, 0.5, 2.0, math.sqrt(2), math.sqrt(0.5),
             1.7976931348623157e308]
    return [x for x in near_one + wide + unit + edges if x > 0 and x != 1]


def exp_arguments():
    wide = [rng.uniform(-745, 709.7) for _ in range(500)]
    small = [rng.uniform(-1, 1) * 2.0 ** -rng.randint(0, 50) for _ in range(400)]
    return wide + small + [1.0, -1.0, 709.78, -708.0]


def rows(arguments, function):
    for x in arguments:
        high, low = split(function(Decimal(x)))
        yield "    {%s, %s, %s}," % (x.hex(), high.hex(), low.hex())


def main():
    lines = ["/* Made by make_math_reference.py; x, then f(x) as high + low. */",
             "typedef struct reference {", "  double x, high, low;", "} reference;", ""]
    for name, arguments, function in (("log", log_arguments(), lambda d: d.ln()),
                                      ("exp", exp_arguments(), lambda d: d.exp())):
        lines.append("static const reference %s_reference[] = {" % name)
        lines += rows(arguments, function)
        lines += ["};", ""]
    pathlib.Path(sys.argv[1]).write_text("\n".join(lines))


main()
