"""Which rows come closest to the teacher on all texts at once? Least squares after the distillation.

Few gradient steps leave rare tokens where they were. Here every row is fitted together: the sum of a text's rows, brought
to unit length by what it was before, should be the teacher's vector; rows are pulled to where they stand, so that a token
of few texts moves little. Solved by conjugate gradients, all dimensions in parallel.
"""

import numpy as np
from scipy import sparse

PULL, ITERATIONS = 1.0, 15


def principal(teacher, dimensions):
    """The teacher's vectors in their own strongest directions, not centred."""
    values, directions = np.linalg.eigh((teacher.T @ teacher).astype(np.float64))
    return (teacher @ directions[:, np.argsort(-values)[:dimensions]]).astype(np.float32)


def aligned(rows, counts, teacher):
    """Rows turned by one linear map into the teacher's space."""
    sums = counts @ rows
    sums /= np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
    turn = np.linalg.solve(sums.T @ sums + 1e-3 * np.eye(rows.shape[1]), sums.T @ teacher)
    return (rows @ turn).astype(np.float32)


def refine(rows, counts, teacher, importance):
    """Minimises |D counts rows - teacher|^2 + PULL |rows - start|^2 with D = one over the length of each text's sum.

    `importance` weighs the texts' squares.
    """
    start = aligned(rows, counts, teacher)
    length = np.linalg.norm(counts @ start, axis=1) + 1e-6
    root = np.sqrt(importance).astype(np.float32)
    scaled = (sparse.diags((root / length).astype(np.float32)) @ counts).tocsr()
    teacher = root[:, None] * teacher
    turned = scaled.T.tocsr()
    moved = np.zeros_like(start)
    rest = turned @ (teacher - scaled @ start)
    direction, energy = rest.copy(), (rest * rest).sum(0)
    for _ in range(ITERATIONS):
        pushed = turned @ (scaled @ direction) + PULL * direction
        step = energy / ((direction * pushed).sum(0) + 1e-12)
        moved += step * direction
        rest -= step * pushed
        before, energy = energy, (rest * rest).sum(0)
        direction = rest + energy / (before + 1e-12) * direction
    return (start + moved).astype(np.float32)
