"""What is compared, and how near must it be?"""
import json, math

RELATIVE = 1e-9
NEAR_ZERO = 1e-3


class Case:
    """One call of a tool with what it must say."""

    def __init__(self, tool, name, arguments):
        self.tool, self.name, self.arguments = tool, name, arguments
        self.checks = []

    def figure(self, at, expected, scale=1.0, spread=0.0):
        """A number. `scale` is what counts as near zero; `spread` is how far the other side is itself uncertain,
        because a rounding in the last digit of what it started from moves it that far."""
        expected = None if expected is None else float(expected)
        if expected is not None and not math.isfinite(expected):
            expected = None
        within = None if expected is None else RELATIVE * (abs(expected) + NEAR_ZERO * scale) + spread
        self.checks.append({"at": at, "expected": expected, "within": within, "spread": spread, "scale": scale})

    def exact(self, at, expected):
        self.checks.append({"at": at, "expected": expected, "within": 0})

    def golden(self):
        checks = [{"at": c["at"], "expected": c["expected"], "within": c["within"]} for c in self.checks]
        return {"name": self.name, "arguments": self.arguments, "checks": checks}


def at(value, pointer):
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def count_leaves(value):
    if isinstance(value, list):
        return sum(map(count_leaves, value))
    if isinstance(value, dict):
        return sum(map(count_leaves, value.values()))
    return 1


class Tally:
    """Counts the comparisons and remembers the worst."""

    def __init__(self):
        self.count = self.figures = self.uncertain = 0
        self.worst = (0.0, "")
        self.per_tool = {}
        self.failures = []

    def judge(self, case, answer):
        if "error" in answer:
            self.failures.append(f"{case.tool}, {case.name}: refused: {answer['error']}")
            return
        for check in case.checks:
            try:
                found = at(answer["ok"], check["at"])
            except (KeyError, IndexError, TypeError):
                self.failures.append(f"{case.tool}, {case.name}: nothing at {check['at']}")
                continue
            self.compare(case, check, found)

    def compare(self, case, check, found):
        expected = check["expected"]
        place = f"{case.tool}, {case.name}, {check['at']}"
        leaves = 1 if check["within"] else max(1, count_leaves(expected))
        self.count += leaves
        self.per_tool[case.tool] = self.per_tool.get(case.tool, 0) + leaves
        if not check["within"]:
            if found != expected:
                self.failures.append(f"{place}: {json.dumps(found)[:300]} instead of {json.dumps(expected)[:300]}")
            return
        if found is None:
            self.failures.append(f"{place}: nothing instead of {expected}")
            return
        self.figures += 1
        distance = abs(found - expected)
        if distance > check["within"]:
            self.failures.append(f"{place}: {found!r} instead of {expected!r}, off by {distance:.3g}, within {check['within']:.3g}")
        if check["spread"] > RELATIVE * (abs(expected) + NEAR_ZERO * check["scale"]):
            self.uncertain += 1
            return
        relative = distance / (abs(expected) + NEAR_ZERO * check["scale"]) if distance else 0.0
        if relative > self.worst[0]:
            self.worst = (relative, place)
