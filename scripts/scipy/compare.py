"""Asks both sides and compares; see scripts/scipy-compare."""
import argparse, json, os, subprocess, sys

import frames, samples
from check import Tally
from datasets import lists

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(ROOT, "crates", "holloway-data", "tests", "golden")
BY_LIST = (samples.describe, samples.correlate, samples.trend, samples.compare, samples.outliers, samples.histogram)
BY_TABLE = (frames.group, frames.pivot, frames.join, frames.resample, frames.describe_text)


def cases(seed):
    for name, kind, values, random in lists(seed):
        for questions in BY_LIST:
            yield from questions(name, kind, values, random)
    for questions in BY_TABLE:
        yield from questions(seed)


def build():
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    command = ["cargo", "build", "--quiet", "--locked", "-p", "holloway-data", "--example", "answer"]
    subprocess.run(command, cwd=ROOT, check=True)
    return os.path.join(target, "debug", "examples", "answer")


def ask(program, asked):
    lines = "".join(json.dumps({"tool": case.tool, "arguments": case.arguments}) + "\n" for case in asked)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    return map(json.loads, done.stdout.splitlines())


def is_small(case):
    text = json.dumps(case.golden())
    return len(text) < 4000


def write_golden(asked):
    """A sample of the small cases of each tool, evenly from all of them."""
    os.makedirs(GOLDEN, exist_ok=True)
    for tool in sorted({case.tool for case in asked}):
        small = [case.golden() for case in asked if case.tool == tool and is_small(case)]
        step = max(1, len(small) // 40)
        path = os.path.join(GOLDEN, f"{tool}.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in small[::step][:40]) + "\n]\n")
        print(f"wrote {os.path.relpath(path, ROOT)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--golden", action="store_true")
    options = parser.parse_args()
    program = build()
    tally = Tally()
    for seed in range(options.seeds):
        asked = list(cases(seed))
        for case, answer in zip(asked, ask(program, asked), strict=True):
            tally.judge(case, answer)
        if options.golden and seed == 0:
            write_golden(asked)
    for failure in tally.failures[:40]:
        print(f"differs: {failure}")
    for tool, count in sorted(tally.per_tool.items()):
        print(f"{tool:16} {count:9}")
    print(f"{tally.count} comparisons, {tally.figures} of them figures; {len(tally.failures)} differ")
    print(f"{tally.uncertain} figures are compared within their own uncertainty, where rounding in r decides")
    print(f"worst difference of the others: {tally.worst[0]:.2e} ({tally.worst[1]})")
    return 1 if tally.failures else 0


sys.exit(main())
