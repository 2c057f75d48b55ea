"""How good is a table? Recall and NDCG on a set's requests: all, only the validation part, or only the rest."""

import argparse
import math

import numpy as np

from catalogue import SETS, Catalogue
from score import Scorer, Table


def measures(scores, gold):
    """Mean recall at 1, 5, 10 and NDCG at 10, in percent. Ties: the tool listed first wins."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    totals = []
    for ranked, entries in zip(order, gold):
        place = {int(tool): position for position, tool in enumerate(ranked)}
        best = [min((place[tool] for tool in entry if tool in place), default=99) for entry in entries]
        ideal = sum(1 / math.log2(position + 2) for position in range(min(10, len(entries))))
        found = sum(1 / math.log2(position + 2) for position in best if position < 10)
        totals.append([np.mean([b < k for b in best]) for k in (1, 5, 10)] + [min(1.0, found / ideal)])
    return 100 * np.mean(totals, axis=0)


def evaluate(table, folder, set_name, part="validation", requests=None):
    catalogue = Catalogue(folder, set_name, requests)
    wanted = {"all": (True, False), "validation": (True,), "training": (False,)}[part]
    chosen = [number for number, held in enumerate(catalogue.validation) if held in wanted]
    scorer = Scorer(table, catalogue.fields, [tool.get("server") for tool in catalogue.tools])
    scores = scorer.score([catalogue.requests[number] for number in chosen])
    return len(chosen), measures(scores, [catalogue.gold[number] for number in chosen])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table")
    parser.add_argument("bench", help="folder of the benchmark sets")
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--part", choices=("all", "validation", "training"), default="validation")
    parser.add_argument("--requests", help="file of requests over the one set named, instead of its own")
    given = parser.parse_args()
    table = Table(given.table)
    for name in given.sets:
        number, figures = evaluate(table, given.bench, name, given.part, given.requests)
        print(f"{name:12} {number:5} requests  " + " / ".join(f"{figure:.1f}" for figure in figures))


if __name__ == "__main__":
    main()
