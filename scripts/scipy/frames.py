"""What does pandas say about tables? Group, join, resample."""
import datetime

import numpy as np
import pandas as pd

from check import Case
from datasets import numbers, with_gaps

KINDS = ("normal", "ties", "offset", "skewed", "huge", "constant")


def clean(value):
    if value is None or value is pd.NaT or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, (np.floating, float)):
        return float(value)
    if isinstance(value, (np.integer, int)):
        return int(value)
    return value


def records(frame):
    names = list(frame.columns)
    return [{name: clean(value) for name, value in zip(names, row)} for row in frame.itertuples(index=False, name=None)]


def table(seed, kind, size):
    random = np.random.default_rng([seed, len(kind), size])
    keys = [None if random.random() < 0.1 else random.choice(["a", "b", "c", "ä ö"]) for _ in range(size)]
    codes = random.integers(1, 4, size=size)
    values = with_gaps(numbers(kind, size, random), random)
    first = datetime.date(2023, 12, 25)
    days = random.integers(0, 200, size=size)
    dates = [(first + datetime.timedelta(days=int(day))).isoformat() for day in days]
    frame = pd.DataFrame({"k": pd.Series(keys, dtype=object), "n": codes, "v": pd.Series(values, dtype=float), "d": dates})
    return frame, random


FIGURES = ("sum", "mean", "median", "stdev", "min", "max", "count", "first", "last", "distinct")
PANDAS = {"stdev": "std", "distinct": "nunique"}


def aggregates():
    listed = [{"column": "v", "function": function, "as": function} for function in FIGURES]
    listed += [{"column": "v", "function": "quantile", "portion": p, "as": f"q{p}"} for p in (0.1, 0.9)]
    return listed + [{"function": "count", "as": "rows"}]


def figures_of(case, at, values, scale):
    """The figures of one group, by pandas."""
    kept = values.dropna()
    constant = kept.nunique() == 1
    for function in FIGURES:
        expected = clean(getattr(kept, PANDAS.get(function, function))()) if function not in ("first", "last") else (
            clean(kept.iloc[0 if function == "first" else -1]) if len(kept) else None)
        if function == "stdev" and constant and len(kept) > 1:
            expected = 0.0
        case.figure(f"{at}/{function}", expected, scale * (len(kept) if function == "sum" else 1))
    for portion in (0.1, 0.9):
        case.figure(f"{at}/q{portion}", clean(kept.quantile(portion)) if len(kept) else None, scale)
    case.exact(f"{at}/rows", len(values))


def group(seed):
    for kind in KINDS:
        for size in (1, 3, 50, 400):
            frame, _ = table(seed, kind, size)
            case = Case("data-group", f"{kind}, {size} rows, seed {seed}",
                        {"rows": records(frame), "by": ["k", "n"], "aggregates": aggregates()})
            scale = clean(frame["v"].abs().max()) or 1.0
            grouped = frame.groupby(["k", "n"], dropna=False, sort=False)["v"]
            # pandas does not keep the order of keys that are missing: ordered by the first row here.
            parts = sorted(grouped, key=lambda part: part[1].index[0])
            case.exact("/count", len(parts))
            for index, (key, values) in enumerate(parts):
                case.exact(f"/rows/{index}/k", clean(key[0]))
                case.exact(f"/rows/{index}/n", int(key[1]))
                figures_of(case, f"/rows/{index}", values, scale)
            yield case


def pivot(seed):
    frame, _ = table(seed, "normal", 120)
    frame = frame.dropna(subset=["k"])
    case = Case("data-group", f"pivot, seed {seed}", {
        "rows": records(frame), "by": ["n"], "pivot": "k", "aggregates": [{"column": "v", "function": "mean"}]})
    expected = frame.pivot_table(index="n", columns="k", values="v", aggfunc="mean", dropna=False)
    for index, n in enumerate(dict.fromkeys(frame["n"])):
        for k in expected.columns:
            case.figure(f"/rows/{index}/{k}", expected.loc[n, k])
    yield case


def join(seed):
    for size in (1, 3, 30, 120):
        random = np.random.default_rng([seed, 7, size])
        keys = lambda: random.integers(0, max(2, size // 2), size=size)
        letters = lambda: random.choice(["x", "y"], size=size)
        left = pd.DataFrame({"id": keys(), "part": letters(), "v": np.arange(size), "only": random.integers(0, 9, size=size)})
        right = pd.DataFrame({"id": keys(), "part": letters(), "v": np.arange(size) + 1000})
        for on in (["id"], ["id", "part"]):
            for how in ("inner", "left", "right", "outer", "anti"):
                arguments = {"left": records(left), "right": records(right), "on": on, "how": how}
                case = Case("data-join", f"{how} on {on}, {size} rows, seed {seed}", arguments)
                yield joined(case, left, right, on, how)


def joined(case, left, right, on, how):
    if how == "anti":
        marked = left.merge(right[on].drop_duplicates(), on=on, how="left", indicator=True)
        expected = records(marked[marked["_merge"] == "left_only"].drop(columns="_merge"))
        case.exact("/rows", expected)
        return case
    merged = left.merge(right, on=on, how=how, suffixes=("_left", "_right"))
    if how == "outer":
        # pandas orders an outer join by key, these tools leave it as the rows came.
        case.exact("/count", len(merged))
        return case
    # Where values are missing, pandas turns whole numbers into floats.
    whole = lambda value: int(value) if isinstance(value, float) and value.is_integer() else value
    case.exact("/rows", [{name: whole(value) for name, value in row.items()} for row in records(merged)])
    return case


RULES = {"day": "D", "week": "W-MON", "month": "MS", "quarter": "QS", "year": "YS"}


def resample(seed):
    for period, rule in RULES.items():
        for size in (1, 3, 60):
            frame, _ = table(seed, "normal", size)
            case = Case("data-resample", f"{period}, {size} rows, seed {seed}", {
                "rows": records(frame), "date": "d", "period": period, "empty": True, "aggregates": aggregates()})
            ordered = frame.sort_values("d", kind="stable")
            indexed = ordered.set_index(pd.to_datetime(ordered["d"]))["v"]
            periods = list(indexed.resample(rule, label="left", closed="left"))
            case.exact("/count", len(periods))
            for index, (start, values) in enumerate(periods):
                case.exact(f"/rows/{index}/period", start.date().isoformat())
                figures_of(case, f"/rows/{index}", values, 1.0)
            yield case


def describe_text(seed):
    frame, _ = table(seed, "normal", 80)
    case = Case("data-describe", f"text, seed {seed}", {"rows": records(frame), "columns": ["k", "d"]})
    for index, name in enumerate(("k", "d")):
        figures = frame[name].describe()
        for ours, theirs in (("count", "count"), ("distinct", "unique"), ("frequency", "freq")):
            case.exact(f"/columns/{index}/{ours}", int(figures[theirs]))
        counts = frame[name].value_counts()
        top = [value for value in frame[name].dropna() if counts[value] == counts.max()][0]
        case.exact(f"/columns/{index}/top", top)
        case.exact(f"/columns/{index}/min", frame[name].dropna().min())
        case.exact(f"/columns/{index}/max", frame[name].dropna().max())
    yield case
