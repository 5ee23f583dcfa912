"""Writes statistics.json: what SciPy says of some samples. The tests hold our own functions against it.

    python3 -m venv venv && venv/bin/pip install scipy==1.17.1
    venv/bin/python Tests/BenchRegressionTests/Data/statistics.py > Tests/BenchRegressionTests/Data/statistics.json
"""

import json
import math

import numpy
import scipy
from scipy.stats import PermutationMethod, binomtest, quantile_test, wilcoxon


def p_value(differences):
    """Exact also with ties and zeros: all signs are enumerated where SciPy's table of the null does not hold."""
    if not numpy.any(differences):
        return 1.0
    magnitudes = numpy.abs(differences)
    plain = len(set(magnitudes)) == len(magnitudes) and numpy.all(magnitudes > 0)
    method = "exact" if plain else PermutationMethod(n_resamples=math.inf)
    return float(wilcoxon(differences, zero_method="pratt", method=method).pvalue)


def interval(differences, confidence):
    """The shifts that the exact test does not reject, found by bisection between the sample's ends."""

    def is_rejected(shift):
        return wilcoxon(differences - shift, method="exact").pvalue <= 1 - confidence

    def end(inside, outside):
        if not is_rejected(outside):
            return None
        for _ in range(80):
            middle = (inside + outside) / 2
            if is_rejected(middle):
                outside = middle
            else:
                inside = middle
        return inside

    averages = [(a + b) / 2 for i, a in enumerate(differences) for b in differences[i:]]
    center = float(numpy.median(averages)) + 1e-9
    span = float(numpy.ptp(differences)) + 1
    return end(center, center - span), end(center, center + span)


def samples():
    random = numpy.random.default_rng(20260101)
    for count in (1, 2, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 25, 30, 40):
        yield f"normal of {count}", random.normal(0.02, 0.05, count), True
    yield "t with 3 degrees of freedom", 0.03 * random.standard_t(3, 20), True
    yield "skewed", random.exponential(0.05, 20) - 0.03, True
    yield "all positive", random.uniform(0.01, 0.02, 10), True
    # Halves and quarters are exact, so that ties are ties.
    yield "ties", random.integers(-6, 9, 14) / 4 + 0.125, False
    yield "ties and zeros", random.integers(-3, 5, 16) / 4, False
    yield "one zero", numpy.append(random.integers(1, 30, 9) / 8, 0.0), False
    yield "zeros only", numpy.zeros(8), False


def vector(name, values, is_plain):
    low, high = interval(values, 0.95) if is_plain else (None, None)
    narrow = interval(values, 0.90) if is_plain else (None, None)
    sign = quantile_test(values, q=0, p=0.5).confidence_interval(0.95)
    averages = [(a + b) / 2 for i, a in enumerate(values) for b in values[i:]]
    return {
        "name": name,
        "differences": [float(value) for value in values],
        "pValue": p_value(values),
        "effect": float(numpy.median(averages)),
        "hasInterval": is_plain,
        "interval95": None if low is None or high is None else [low, high],
        "interval90": None if None in narrow else list(narrow),
        "signInterval95": None if math.isnan(sign.low) or math.isnan(sign.high) else [float(sign.low), float(sign.high)],
    }


def binomial(count, trials):
    found = binomtest(count, trials).proportion_ci(0.95, method="exact")
    return {"count": count, "trials": trials, "interval": [float(found.low), float(found.high)]}


cases = [(0, 1), (1, 1), (0, 30), (1, 30), (19, 412), (412, 412), (3, 1000), (500, 1000), (9999, 10000)]
print(
    json.dumps(
        {
            "scipy": scipy.__version__,
            "samples": [vector(*sample) for sample in samples()],
            "binomial": [binomial(*case) for case in cases],
        },
        indent=1,
    )
)
