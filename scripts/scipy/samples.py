"""What do SciPy and NumPy say about lists of numbers? Describe, correlate, trend, compare, outliers, histogram."""
import datetime
import warnings

import numpy as np
import pandas as pd
from scipy import stats

from check import Case
from datasets import numbers, with_gaps

warnings.simplefilter("ignore")
MAD_FACTOR = 0.6745


def rows(**columns):
    names = list(columns)
    clean = lambda value: None if value is None else (value if isinstance(value, str) else float(value))
    return [{name: clean(value) for name, value in zip(names, row)} for row in zip(*columns.values())]


def present(values):
    return np.array([value for value in values if value is not None], dtype=float)


def size_of(values):
    return float(np.max(np.abs(values), initial=0.0))


def describe(name, kind, values, random):
    values = with_gaps(values, random) if len(values) > 4 else list(map(float, values))
    kept = present(values)
    if len(kept) == 0:
        return
    case = Case("data-describe", name, {"rows": rows(v=values)})
    scale, column = size_of(kept), "/columns/0/"
    figures = pd.Series(kept).describe()
    case.exact(column + "count", int(figures["count"]))
    case.exact(column + "missing", len(values) - len(kept))
    case.figure(column + "mean", figures["mean"], scale)
    case.figure(column + "sum", pd.Series(kept).sum(), scale * len(kept))
    for ours, theirs in (("min", "min"), ("q1", "25%"), ("median", "50%"), ("q3", "75%"), ("max", "max")):
        case.figure(column + ours, figures[theirs], scale)
    constant = len(set(kept)) == 1
    case.figure(column + "stdev", None if len(kept) < 2 else (0.0 if constant else figures["std"]), scale)
    # Shifting does not change the shape; unshifted, SciPy loses seven digits on numbers near 1e9.
    shifted = kept - kept[0] if kind == "offset" else kept
    case.figure(column + "skewness", None if constant or len(kept) < 3 else stats.skew(shifted, bias=False))
    case.figure(column + "kurtosis", None if constant or len(kept) < 4 else stats.kurtosis(shifted, bias=False))
    yield case


def p_of(r, count):
    freedom = count - 2
    with np.errstate(divide="ignore", invalid="ignore"):
        t = r * np.sqrt(freedom / np.maximum((1 - r) * (1 + r), 0))
    return 2 * stats.t.sf(abs(t), freedom)


def uncertainty(r, count):
    """How far p moves when r moves in its last digits: far, where r is nearly 1."""
    near = [max(-1.0, min(1.0, r + step)) for step in (-2e-15, 2e-15)]
    ends = [p_of(end, count) for end in near]
    return float(np.nanmax([abs(ends[0] - p_of(r, count)), abs(ends[1] - p_of(r, count))], initial=0.0))


def correlate(name, kind, values, random):
    other = numbers("ties" if kind == "ties" else "normal", len(values), random) + (0.3 * values if kind == "normal" else 0)
    left, right = with_gaps(values, random, 0.1), with_gaps(other, random, 0.1)
    if len(values) < 5:
        left, right = list(map(float, values)), list(map(float, other))
    both = [(a, b) for a, b in zip(left, right) if a is not None and b is not None]
    x, y = np.array([a for a, _ in both]), np.array([b for _, b in both])
    varies = len(both) >= 2 and len(set(x)) > 1 and len(set(y)) > 1
    tests = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    if not any(value is not None for value in left) or not any(value is not None for value in right):
        return
    for method, test in tests.items():
        case = Case("data-correlate", f"{method}, {name}", {"rows": rows(x=left, y=right), "columns": ["x", "y"], "method": method})
        case.exact("/pairs/0/count", len(both))
        result = test(x, y) if varies else None
        r = None if result is None else result.statistic
        case.figure("/pairs/0/coefficient", r)
        spread = uncertainty(r, len(both)) if varies and method != "kendall" and len(both) > 2 else 0.0
        p = None if result is None else result.pvalue
        case.figure("/pairs/0/p", p, spread=spread)
        yield case


def mann_kendall(x, y):
    """Written out pair by pair, with the variance for ties on both sides."""
    count = len(x)
    score = sum(int(np.sign(x[j] - x[i]) * np.sign(y[j] - y[i])) for j in range(count) for i in range(j))
    ties = lambda values: np.unique(values, return_counts=True)[1].astype(float)
    t, u = ties(x), ties(y)
    fives = lambda n: n * (n - 1) * (2 * n + 5)
    twos, threes = lambda n: n * (n - 1), lambda n: n * (n - 1) * (n - 2)
    variance = (fives(count) - fives(t).sum() - fives(u).sum()) / 18 + twos(t).sum() * twos(u).sum() / (2 * twos(count))
    if count > 2:
        variance += threes(t).sum() * threes(u).sum() / (9 * threes(count))
    z = (score - np.sign(score)) / np.sqrt(variance) if variance > 0 else np.nan
    return score, z, 2 * stats.norm.sf(abs(z))


def trend(name, kind, values, random):
    first = datetime.date(2024, 1, 31)
    days = np.sort(random.integers(0, 3 * len(values) + 1, size=len(values)))
    dates = [(first + datetime.timedelta(days=int(day))).isoformat() for day in days]
    y = np.asarray(values, dtype=float)
    for label, x, table, time in (
        ("by date", (days - days[0]).astype(float), rows(t=dates, v=y), "t"),
        ("by place", np.arange(len(y), dtype=float), rows(v=y), None),
    ):
        arguments = {"rows": table, "value": "v"} | ({"time": time} if time else {})
        case = Case("data-trend", f"{label}, {name}", arguments)
        series_figures(case, "/series/0/", x, y)
        yield case


def series_figures(case, at, x, y):
    scale = size_of(y)
    case.exact(at + "count", len(y))
    case.figure(at + "change", y[-1] - y[0], scale)
    percent = None if y[0] == 0 else (y[-1] - y[0]) / abs(y[0]) * 100
    case.figure(at + "change_percent", percent, 100 * (scale / abs(y[0]) if y[0] else 1))
    if len(set(x)) < 2:
        case.exact(at + "slope", None)
        case.exact(at + "theil_sen", None)
        return
    reach = scale / max(np.ptp(x), 1)
    varies = len(set(y)) > 1
    line = stats.linregress(x, y) if varies else None
    r = line.rvalue if varies else None
    case.figure(at + "slope", line.slope if varies else 0.0, reach)
    case.figure(at + "intercept", line.intercept if varies else y[0], scale)
    case.figure(at + "r", r)
    # Two points say nothing about the error; SciPy gives 0 there, these tools give nothing.
    judged = varies and len(y) > 2
    loose = uncertainty(r, len(y)) if judged else 0.0
    case.figure(at + "p", line.pvalue if judged else None, spread=loose)
    unexplained = max(1 - r * r, 0.0) if judged else 0.0
    shaky = line.stderr * min(1.0, 2e-15 / unexplained) if unexplained else (1e-7 * abs(line.slope) if judged else 0.0)
    case.figure(at + "stderr", line.stderr if judged else None, reach, spread=shaky)
    robust = stats.theilslopes(y, x)
    case.figure(at + "theil_sen/slope", robust.slope, reach)
    case.figure(at + "theil_sen/intercept", robust.intercept, scale)
    if len(y) < 3 or not varies:
        case.exact(at + "mann_kendall", None)
        return
    score, z, p = mann_kendall(x, y)
    case.exact(at + "mann_kendall/s", score)
    case.figure(at + "mann_kendall/z", z)
    case.figure(at + "mann_kendall/p", p)


def compare(name, kind, values, random):
    other = numbers(kind, int(random.integers(1, 40)), random) * (1.0 if kind in ("constant", "ties") else 1.1)
    case = Case("data-compare", name, {"left": list(map(float, values)), "right": list(map(float, other))})
    scale = max(size_of(values), size_of(other))
    case.figure("/difference", other.mean() - values.mean(), scale)
    spread = len(set(values)) > 1 or len(set(other)) > 1
    if len(values) < 2 or len(other) < 2 or not spread:
        case.exact("/welch", None)
    else:
        test = stats.ttest_ind(values, other, equal_var=False)
        case.figure("/welch/t", test.statistic)
        case.figure("/welch/df", test.df)
        case.figure("/welch/p", test.pvalue)
    ranks = stats.mannwhitneyu(values, other)
    case.figure("/mann_whitney/u", ranks.statistic)
    case.figure("/mann_whitney/p", ranks.pvalue)
    yield case


def outliers(name, kind, values, random):
    values = np.asarray(values, dtype=float)
    scale = size_of(values)
    for method in ("iqr", "zscore", "mad"):
        case = Case("data-outliers", f"{method}, {name}", {"rows": rows(v=values), "column": "v", "method": method})
        limits = None
        if len(values) >= 3 and method == "iqr":
            low, high = np.percentile(values, [25, 75])
            limits = low - 1.5 * (high - low), high + 1.5 * (high - low)
        if len(values) >= 3 and method == "zscore":
            reach = 3 * (values.std(ddof=1) if len(set(values)) > 1 else 0.0)
            limits = values.mean() - reach, values.mean() + reach
        if len(values) >= 3 and method == "mad":
            middle = np.median(values)
            deviation = stats.median_abs_deviation(values)
            limits = (middle - 3.5 * deviation / MAD_FACTOR, middle + 3.5 * deviation / MAD_FACTOR) if deviation > 0 else None
        case.figure("/groups/0/lower", limits and limits[0], scale)
        case.figure("/groups/0/upper", limits and limits[1], scale)
        constant = len(set(values)) == 1
        found = [] if limits is None or constant else np.nonzero((values < limits[0]) | (values > limits[1]))[0]
        case.exact("/count", len(found))
        for index, row in enumerate(found):
            case.exact(f"/outliers/{index}/row", int(row) + 1)
        yield case


def histogram(name, kind, values, random):
    values = np.asarray(values, dtype=float)
    for bins in (None, 1, 7):
        arguments = {"rows": rows(v=values), "column": "v"} | ({"bins": bins} if bins else {})
        case = Case("data-histogram", f"{bins or 'auto'} bins, {name}", arguments)
        try:
            counts, edges = np.histogram(values, bins=bins or "auto")
        except ValueError:
            continue  # too many bins for so narrow a range
        for index, count in enumerate(counts):
            case.exact(f"/bins/{index}/count", int(count))
            case.figure(f"/bins/{index}/from", edges[index], size_of(values))
        case.figure(f"/bins/{len(counts) - 1}/to", edges[-1], size_of(values))
        yield case
