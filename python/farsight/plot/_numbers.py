"""The statistics that figures draw: intervals of means, pairwise tests, and numbers as text."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from farsight._words import counted

Floats = npt.NDArray[np.float64]


class Interval(NamedTuple):
    """Centres with the ends of their intervals; the ends are NaN where there is none."""

    mean: Floats
    low: Floats
    high: Floats


def _beta_tail(t: float, degrees: float) -> float:
    """P(T > t) of Student's distribution for t >= 0, by the continued fraction of the incomplete beta."""
    x = degrees / (degrees + t * t)
    a, b = degrees / 2, 0.5
    if x >= 1:
        return 0.5
    if x > (a + 1) / (a + b + 2):
        return 0.5 - 0.5 * _beta_fraction(1 - x, b, a)
    return 0.5 * _beta_fraction(x, a, b)


def _beta_fraction(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function (Lentz's method; Press et al., Numerical Recipes, 6.4)."""
    front = math.exp(
        a * math.log(x) + b * math.log1p(-x) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    )
    tiny = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    f = d
    for m in range(1, 400):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + term * d or tiny)
            c = 1 + term / c or tiny
            f *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * f / a


@functools.lru_cache(maxsize=1024)
def student(degrees: float, level: float = 0.95) -> float:
    """The quantile of Student's distribution that an interval of this level needs, by bisection."""
    tail = (1 - level) / 2
    low, high = 0.0, 1.0
    while _beta_tail(high, degrees) > tail:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _beta_tail(middle, degrees) > tail else (low, middle)
    return (low + high) / 2


def mean_interval(values: npt.ArrayLike, level: float = 0.95) -> Interval:
    """The mean over the last axis with Student's interval; NaN are left out, infinite values are kept."""
    x = np.atleast_2d(np.asarray(values, dtype=float))
    known = ~np.isnan(x)
    n = known.sum(axis=-1)
    with np.errstate(all="ignore"):
        mean = np.where(known, x, 0).sum(axis=-1) / n
        deviation = np.where(known, x - mean[..., None], 0)
        half = np.sqrt((deviation**2).sum(axis=-1) / (n - 1) / n)
    half *= np.array([student(int(k) - 1, level) if k > 1 else np.nan for k in n.ravel()]).reshape(n.shape)
    half[~np.isfinite(half)] = np.nan
    return Interval(mean, mean - half, mean + half)


def quartiles(values: npt.ArrayLike) -> Interval:
    """The median over the last axis with the quartiles; NaN are left out, infinite values are kept."""
    x = np.atleast_2d(np.asarray(values, dtype=float))
    rows = [np.sort(row[~np.isnan(row)]) for row in x]
    out = np.array([[_quantile(row, p) for row in rows] for p in (0.5, 0.25, 0.75)])
    return Interval(out[0], out[1], out[2])


def _quantile(ascending: Floats, p: float) -> float:
    """Type 7 of Hyndman and Fan; a value without weight does not count, so infinite ones are fine."""
    if len(ascending) == 0:
        return math.nan
    at = (len(ascending) - 1) * p
    k = int(at)
    weight = at - k
    if weight == 0 or ascending[k] == ascending[k + 1]:
        return float(ascending[k])
    return float(ascending[k] * (1 - weight) + ascending[k + 1] * weight)


def sign_test(wins: int, losses: int) -> float:
    """The two-sided p-value of the sign test; ties do not count. 1 where there is neither."""
    n = wins + losses
    if n == 0:
        return 1.0
    k = min(wins, losses)
    if n > 2000:
        return math.erfc(max(0.0, (n - 2 * k - 1) / math.sqrt(2 * n)))
    return min(1.0, float(2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n))


def holm(p: npt.ArrayLike) -> Floats:
    """Holm's adjusted p-values (1979); NaN stay and do not count as comparisons."""
    p = np.asarray(p, dtype=float)
    out = np.full(p.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    factors = len(order) - np.arange(len(order))
    out[order] = np.minimum(1, np.maximum.accumulate(p[order] * factors))
    return out


def number(value: float, digits: int = 4) -> str:
    """A number for people: at most so many digits, thousands separated, a real minus sign.

    >>> number(12345.678), number(-0.5), number(2.5e7), number(float("inf"))
    ('12,346', '−0.5', '25M', '∞')
    """
    if math.isnan(value):
        return "–"
    sign = "−" if value < 0 else ""
    size = abs(value)
    if math.isinf(size):
        return sign + "∞"
    if size != 0 and (size >= 1e13 or size < 1e-4):
        mantissa, power = f"{size:.{digits - 2}e}".split("e")
        return f"{sign}{mantissa.rstrip('0').rstrip('.')}e{int(power)}"
    for unit, suffix in ((1e9, "B"), (1e6, "M")):
        if size >= unit * (1 if suffix == "B" else 10):
            return f"{sign}{_plain(size / unit, digits)}{suffix}"
    return sign + _plain(size, digits)


def _plain(size: float, digits: int) -> str:
    whole = 0 if size < 1 else int(math.floor(math.log10(size)))
    text = f"{size:,.{max(0, digits - 1 - whole)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def counts(ns: Any, noun: str) -> str:
    """\"300 runs\", or \"20 to 300 runs\" where they differ."""
    low, high = int(min(ns)), int(max(ns))
    return counted(low, noun) if low == high else f"{low:,} to {counted(high, noun)}"
