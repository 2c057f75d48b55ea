"""Does another implementation rank the same? Writes requests with the reference's ten best tools and their scores."""

import argparse
import json

import numpy as np

from catalogue import SETS, Catalogue
from score import Scorer, Table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table")
    parser.add_argument("bench", help="folder of the benchmark sets")
    parser.add_argument("output")
    parser.add_argument("--number", type=int, default=40, help="of requests per set, evenly spaced")
    parser.add_argument("--also", nargs=2, default=(), metavar=("SET", "REQUESTS"), help="another set with a file of requests")
    given = parser.parse_args()
    table = Table(given.table)
    with open(given.output, "w", encoding="utf-8") as output:
        for name, requests in [(name, None) for name in SETS] + ([tuple(given.also)] if given.also else []):
            catalogue = Catalogue(given.bench, name, requests)
            scorer = Scorer(table, catalogue.fields, [tool.get("server") for tool in catalogue.tools])
            for number in np.linspace(0, len(catalogue.requests) - 1, given.number).astype(int):
                scores = scorer.score([catalogue.requests[number]])[0]
                best = np.argsort(-scores, kind="stable")[:10]
                line = {"set": name, "id": catalogue.ids[number], "query": catalogue.requests[number]}
                line["top"] = [[catalogue.tools[tool]["id"], round(float(scores[tool]), 5)] for tool in best]
                output.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
