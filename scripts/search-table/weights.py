"""How much does each token count? Stage two, with labels: one number per token, the vectors stay as they are.

Learning vectors from labels overfits the catalogues; a scalar per token carries over to catalogues never seen.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from catalogue import FIELDS
from distil import adam, pace, unit

BATCH, STEPS, CANDIDATES, DROPPED, PULL = 192, 250, 1000, 0.1, 2e-4
WHOLE_CATALOGUE = 1500
RATES = {"slope": 3e-4, "log_weight": 9e-3, "fields": 3e-3, "temperature": 3e-3}
START_FIELDS = np.array([0.0, 0.0, 0.0, -0.7, -1.2], np.float32)


class LabelledSet:
    """Count matrices of one set's training requests and of its tools' fields."""

    def __init__(self, vocabulary, requests, gold, fields, confusable=None):
        self.requests = vocabulary.counts(requests)
        self.gold = [sorted({tool for entry in entries for tool in entry}) for entries in gold]
        self.fields = [vocabulary.counts([f[name] for f in fields]) for name in FIELDS]
        self.confusable = confusable
        self.size = len(fields)

    def batch(self, random):
        """Requests, candidate tools and the matrix of which candidate is gold for which request."""
        chosen = random.choice(len(self.gold), min(BATCH, len(self.gold)), replace=False)
        candidates = np.arange(self.size)
        if self.size > WHOLE_CATALOGUE:
            must = {tool for request in chosen for tool in self.gold[request]}
            if self.confusable is not None:
                must |= set(self.confusable[chosen].ravel().tolist())
            must = np.array(sorted(must))[:CANDIDATES]
            others = random.permutation(np.setdiff1d(candidates, must))
            candidates = np.concatenate([must, others[: CANDIDATES - len(must)]])
        place = {int(tool): column for column, tool in enumerate(candidates)}
        gold = np.zeros((len(chosen), len(candidates)), np.float32)
        for row, request in enumerate(chosen):
            for tool in self.gold[request]:
                if tool in place:
                    gold[row, place[tool]] = 1
        requests = self.requests[chosen].copy()
        requests.data *= random.random(len(requests.data)) >= DROPPED
        return requests, [field[candidates] for field in self.fields], gold


@functools.partial(jax.jit, static_argnums=())
@functools.partial(jax.value_and_grad, argnums=(0, 1, 2, 3))
def ranking_loss(requests, fields, log_fields, temperature, gold):
    """Each gold tool against all that are not gold."""
    tools = unit(sum(jnp.exp(log_fields[number]) * unit(field) for number, field in enumerate(fields)))
    scores = unit(requests) @ tools.T * jnp.exp(temperature)
    others = jax.nn.logsumexp(jnp.where(gold > 0, -1e9, scores), axis=1, keepdims=True)
    return ((jax.nn.softplus(others - scores) * gold).sum(1) / jnp.maximum(gold.sum(1), 1)).mean()


def learn_weights(rows, features, sets, seed=0, steps=STEPS, say=print):
    """Rows times one learned number each, and the field weights. Sets take turns, one per step.

    The logarithm of a token's number is its own (pulled to zero) plus a linear function of its features.
    """
    random = np.random.default_rng(seed)
    state = {
        "slope": np.zeros(features.shape[1], np.float32),
        "log_weight": np.zeros(len(rows), np.float32),
        "fields": START_FIELDS.copy(),
        "temperature": np.float32(2.7),
    }
    first = {name: np.zeros_like(value) for name, value in state.items()}
    second = {name: np.zeros_like(value) for name, value in state.items()}
    losses = []
    for step in range(steps):
        requests, fields, gold = sets[step % len(sets)].batch(random)
        weighted = scale_of(state, features)[:, None] * rows
        value, (to_requests, to_fields, to_weights, to_temperature) = ranking_loss(
            requests @ weighted, [field @ weighted for field in fields], state["fields"], state["temperature"], gold
        )
        to_rows = requests.T @ np.asarray(to_requests)
        for field, gradient in zip(fields, to_fields):
            to_rows += field.T @ np.asarray(gradient)
        to_log_scale = (to_rows * weighted).sum(1)
        gradients = {
            "slope": features.T @ to_log_scale,
            "log_weight": to_log_scale + 2 * PULL * state["log_weight"],
            "fields": np.asarray(to_weights),
            "temperature": np.asarray(to_temperature),
        }
        rates = {name: rate * pace(step, steps) for name, rate in RATES.items()}
        state, first, second = adam(state, gradients, first, second, step + 1.0, rates)
        state = {name: np.asarray(value, np.float32) for name, value in state.items()}
        losses.append(float(value))
        if step % 50 == 49:
            say(f"weights step {step + 1}: loss {np.mean(losses[-50:]):.4f}, fields {np.exp(state['fields']).round(2).tolist()}")
    return scale_of(state, features)[:, None] * rows, np.exp(state["fields"])


def scale_of(state, features):
    return np.exp(np.clip(features @ state["slope"] + state["log_weight"], -6, 6))
