"""Which data is nasty? Seeded lists of numbers, each kind with its own way to go wrong."""
import numpy as np

SIZES = (1, 2, 3, 4, 5, 8, 13, 34, 60, 250)


def numbers(kind, size, random):
    """A list of numbers of this kind."""
    plain = random.normal(size=size)
    if kind == "normal":
        return plain
    if kind == "ties":
        return random.integers(0, 5, size=size).astype(float)
    if kind == "many ties":
        return (random.random(size) < 0.2).astype(float)
    if kind == "constant":
        return np.full(size, 0.1)
    if kind == "huge":
        return plain * 1e60
    if kind == "tiny":
        return plain * 1e-60
    if kind == "offset":
        return 1e9 + plain
    if kind == "skewed":
        return np.exp(3 * plain)
    if kind == "line":
        return 0.1 * np.arange(size) + 3.0
    if kind == "nearly a line":
        return 2.5 * np.arange(size) + 1e-7 * plain
    if kind == "outliers":
        return np.where(random.random(size) < 0.1, plain * 1e4, plain)
    if kind == "falling":
        return -0.3 * np.arange(size) + plain
    if kind == "mixed sizes":
        return plain * 10.0 ** random.integers(-8, 8, size=size)
    if kind == "zeros":
        return np.where(random.random(size) < 0.5, 0.0, -0.0) + (random.random(size) < 0.3)
    raise ValueError(kind)


KINDS = ("normal", "ties", "many ties", "constant", "huge", "tiny", "offset", "skewed", "line", "nearly a line", "outliers",
         "falling", "mixed sizes", "zeros")


def with_gaps(values, random, share=0.15):
    """The same list with some values missing."""
    return [None if random.random() < share else float(value) for value in values]


def lists(seed):
    """Name and numbers of every kind and size; `seed` changes all of them."""
    for kind_index, kind in enumerate(KINDS):
        for size in SIZES:
            random = np.random.default_rng([seed, kind_index, size])
            yield f"{kind}, {size} values, seed {seed}", kind, numbers(kind, size, random), random
