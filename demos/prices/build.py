#!/usr/bin/env python3
"""Writes prices.csv: what six products cost in five shops on 90 days, with trends and planted outliers.

Every run writes the same file. Planted outliers are listed in outliers.json.
"""

import csv
import datetime
import json
import math
import pathlib
import random

HERE = pathlib.Path(__file__).parent
FIRST_DAY = datetime.date(2026, 1, 1)
DAYS = 90
SHOPS = {"Fernhill Outdoor": 1.00, "Alder & Pine": 0.96, "Summit Direct": 0.91, "Trailhead": 1.05, "Moss Valley": 1.02}
# Base price, and how much of it a whole year adds.
PRODUCTS = {
    "Dune 2 tent": (289.0, 0.18),
    "Moor 3 tent": (379.0, -0.10),
    "Ridge boot": (164.0, 0.06),
    "Harrier 40 rucksack": (119.0, 0.00),
    "Ember stove": (54.0, 0.25),
    "Lark sleeping bag": (142.0, -0.22),
}
OUTLIERS = 12


def price(base, yearly, level, day, dice):
    trend = 1 + yearly * day / 365
    # Weekends are a little cheaper.
    week = -0.012 if (FIRST_DAY + datetime.timedelta(day)).weekday() >= 5 else 0.0
    wave = 0.01 * math.sin(day / 9)
    return base * level * (trend + week + wave + dice.gauss(0, 0.006))


def main():
    dice = random.Random(20260101)
    rows = []
    for day in range(DAYS):
        date = (FIRST_DAY + datetime.timedelta(day)).isoformat()
        for shop, level in SHOPS.items():
            for product, (base, yearly) in PRODUCTS.items():
                rows.append([date, shop, product, price(base, yearly, level, day, dice)])
    planted = []
    for number in sorted(dice.sample(range(len(rows)), OUTLIERS)):
        factor = dice.choice([0.1, 0.5, 0.55, 1.8, 2.0, 10.0])
        rows[number][3] *= factor
        date, shop, product, value = rows[number]
        planted.append({"date": date, "shop": shop, "product": product, "price": round(value, 2), "factor": factor})
    with open(HERE / "prices.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["date", "shop", "product", "price"])
        writer.writerows([date, shop, product, f"{value:.2f}"] for date, shop, product, value in rows)
    (HERE / "outliers.json").write_text(json.dumps(planted, indent=1) + "\n", encoding="utf-8")
    print(f"{len(rows)} prices, {len(planted)} outliers")


if __name__ == "__main__":
    main()
