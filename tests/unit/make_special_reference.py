#!/usr/bin/env python3
"""Writes special_reference.h: special functions from 400-digit arithmetic (needs mpmath)."""
import pathlib

import mpmath as mp

mp.mp.dps = 400
NUS = [1.5, 2, 3, 3.5, 5, 10, 30.5, 100, 1000, 31623.5, 1e6, 1e9]
ZS = [0, 1e-8, 0.01, 0.3, 0.9, 1, 1.3, 1.4, 1.42, 1.5, 1.7, 2, 3, 5, 8, 12, 20, 30, 100, 1e5]
AS = [1e-3, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 7.3, 11.9, 12, 12.1, 50, 1234.5, 1e6, 1e12]
XS = [0, 1e-300, 1e-17, 3e-16, 1e-9, 1e-4, 0.01, 0.3, 0.5, 1, 3, 1e3, 1e20, 1e300]
HALF = mp.mpf(1) / 2


def ratio(a):
    return mp.exp(mp.loggamma(a + HALF) - mp.loggamma(a))


def incomplete_beta(p, q, x):
    """Regularised, by its power series."""
    term = total = mp.mpf(1)
    n = 0
    while term > total * mp.mpf(10) ** -390:
        term *= (p + q + n) / (p + 1 + n) * x
        total += term
        n += 1
    a = max(p, q)  # the other is 1/2
    return x ** p * (1 - x) ** q / p * ratio(a) / mp.sqrt(mp.pi) * total


def tail(z, nu):
    x = nu / (nu + z * z)
    if x > 0.1:
        return (1 - incomplete_beta(HALF, nu / 2, 1 - x)) / 2
    return incomplete_beta(nu / 2, HALF, x) / 2


def excess(z, nu):
    density = ratio(nu / 2) / mp.sqrt(nu * mp.pi)
    return nu / (nu - 1) * density * (1 + z * z / nu) ** (-(nu - 1) / 2) - z * tail(z, nu)


def row(values):
    return "    {%s}," % ", ".join(mp.nstr(v, 18, min_fixed=1, max_fixed=0) for v in values)


def students():
    for nu in map(mp.mpf, NUS):
        for z in map(mp.mpf, ZS):
            if nu / 2 * mp.log1p(z * z / nu) < 650:  # else it is 0 for a double
                yield row([z, nu, tail(z, nu), excess(z, nu)])


def main():
    lines = ["/* Made by make_special_reference.py. */",
             "typedef struct one_argument {", "  double x, value;", "} one_argument;", "",
             "typedef struct student_reference {", "  double z, nu, tail, excess;",
             "} student_reference;", "", "static const one_argument log1p_reference[] = {"]
    lines += [row([x, mp.log1p(x)]) for x in map(mp.mpf, XS)]
    lines += ["};", "", "static const one_argument ratio_reference[] = {"]
    lines += [row([a, ratio(a)]) for a in map(mp.mpf, AS)]
    lines += ["};", "", "static const student_reference student_references[] = {", *students(),
              "};", ""]
    pathlib.Path(__file__).with_name("special_reference.h").write_text("\n".join(lines))


main()
