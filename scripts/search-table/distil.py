"""How does a sum of rows come to resemble the teacher's sentence vector? Stage one, without labels.

Row of token t = exp(slope . x_t + log_weight_t) * (x_t map), x_t the whitened teacher output of the token alone. Trained
so that the cosines inside a batch of texts rank like the teacher's. Single rows are moved later, all at once (refine.py).
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np

BATCH, STEPS, WARM_UP, SHARPNESS = 256, 400, 30, 12.0
ROWS_PER_BATCH = 2048
RATES = {"slope": 3e-4, "log_weight": 9e-3, "map": 3e-4}


def features_of(outputs):
    """Teacher outputs per token, centred and whitened, with their singular values."""
    centred = outputs - outputs.mean(0)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    return (left * np.sqrt(len(outputs))).astype(np.float32), values


def start(features, values, weights, dimensions):
    """Half-whitened projection, start weights from general text."""
    projection = np.zeros((features.shape[1], dimensions), np.float32)
    np.fill_diagonal(projection, np.sqrt(values[:dimensions] / values[0]) / np.sqrt(dimensions))
    return {
        "slope": jnp.zeros(features.shape[1]),
        "log_weight": jnp.asarray(np.log(weights), jnp.float32),
        "map": jnp.asarray(projection),
    }


def start_weights(counts):
    """Log inverse document frequency in general text, at least 0.3."""
    holding = np.asarray((counts > 0).sum(0)).ravel()
    return np.maximum(0.3, np.log((counts.shape[0] + 1) / (holding + 1)))


def rows_of(parameters, features, chosen):
    x = features[chosen]
    scale = jnp.exp(jnp.clip(x @ parameters["slope"] + parameters["log_weight"][chosen], -6, 6))
    return scale[:, None] * (x @ parameters["map"])


def unit(vectors):
    return vectors / jnp.sqrt((vectors * vectors).sum(-1, keepdims=True) + 1e-12)


def divergence(parameters, features, chosen, counts, teacher):
    own = unit(counts @ rows_of(parameters, features, chosen))
    hide = jnp.eye(len(counts)) * -1e9
    wanted = jax.nn.log_softmax(teacher @ teacher.T * SHARPNESS + hide, axis=1)
    found = jax.nn.log_softmax(own @ own.T * SHARPNESS + hide, axis=1)
    return (jnp.exp(wanted) * (wanted - found)).sum() / len(counts)


def adam(parameters, gradients, first, second, step, rates):
    moved = {}
    for name, gradient in gradients.items():
        first[name] = 0.9 * first[name] + 0.1 * gradient
        second[name] = 0.999 * second[name] + 0.001 * gradient * gradient
        direction = first[name] / (1 - 0.9**step) / (jnp.sqrt(second[name] / (1 - 0.999**step)) + 1e-8)
        moved[name] = parameters[name] - rates[name] * direction
    return moved, first, second


def pace(step, steps):
    """Warm up, then fall linearly."""
    return min(1.0, (step + 1) / WARM_UP) * max(0.02, 1 - step / steps)


@functools.partial(jax.jit, donate_argnums=(0, 1, 2))
def improve(parameters, first, second, origin, features, chosen, counts, teacher, step, speed):
    def loss(p):
        pull = 2e-5 * ((p["log_weight"] - origin["log_weight"]) ** 2).sum() + 1e-3 * ((p["map"] - origin["map"]) ** 2).sum()
        return divergence(p, features, chosen, counts, teacher) + pull

    value, gradients = jax.value_and_grad(loss)(parameters)
    rates = {name: rate * speed for name, rate in RATES.items()}
    return *adam(parameters, gradients, first, second, step, rates), value


def distil(parameters, features, counts, teacher, importance, seed=0, steps=STEPS, say=print):
    """`counts`: texts x rows; `teacher`: unit vectors of the same texts; `importance`: how often a text is drawn."""
    random = np.random.default_rng(seed)
    features = jnp.asarray(features)
    origin = {name: jnp.array(parameters[name]) for name in ("log_weight", "map")}
    first = {name: jnp.zeros_like(value) for name, value in parameters.items()}
    second = {name: jnp.zeros_like(value) for name, value in parameters.items()}
    losses = []
    for step in range(steps):
        texts = random.choice(counts.shape[0], BATCH, replace=False, p=importance / importance.sum())
        batch = counts[texts]
        chosen = np.unique(batch.indices)[:ROWS_PER_BATCH]
        dense = np.zeros((BATCH, ROWS_PER_BATCH), np.float32)
        dense[:, : len(chosen)] = batch[:, chosen].toarray()
        padded = np.zeros(ROWS_PER_BATCH, np.int32)
        padded[: len(chosen)] = chosen
        parameters, first, second, value = improve(
            parameters, first, second, origin, features, padded, dense, teacher[texts], step + 1.0, pace(step, steps)
        )
        losses.append(float(value))
        if step % 100 == 99:
            say(f"distil step {step + 1}: loss {np.mean(losses[-50:]):.4f}")
    return parameters
