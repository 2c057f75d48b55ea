"""Are the prices right, and were the planted outliers found? Compares the trace of a price report with
prices.csv and outliers.json, whichever plan made it."""
import csv
import json
import pathlib
import sys


def place(row):
    row = row.get("fields", row)
    return (row["date"], row.get("shop") or row.get("seller"), row["product"])


def largest(lists):
    return max(lists, key=len, default=[])


def main() -> int:
    trace, planted = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    with open(pathlib.Path(sys.argv[2]).parent / "prices.csv", newline="", encoding="utf-8") as file:
        truth = {place(row): float(row["price"]) for row in csv.DictReader(file)}
    outputs = [entry["output"] for entry in trace["entries"] if isinstance(entry.get("output"), dict)]
    rows = largest(output["rows"] for output in outputs if isinstance(output.get("rows"), list))
    right = sum(truth.get(place(row)) == float(row["price"]) for row in rows if "product" in row)
    print(f"prices: {len(truth)}, read: {len(rows)}, right: {right}")
    outliers = largest(output["outliers"] for output in outputs if isinstance(output.get("outliers"), list))
    told, wanted = {place(row) for row in outliers}, {place(row) for row in planted}
    print(f"planted outliers: {len(wanted)}, found: {len(wanted & told)}, told besides: {len(told - wanted)}")
    return 0 if right == len(rows) == len(truth) and wanted == told else 1


sys.exit(main())
