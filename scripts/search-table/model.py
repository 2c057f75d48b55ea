"""What does the teacher (all-MiniLM-L6-v2) say about a text?

A forward pass of the six-layer encoder in jax, on the CPU, from the weights in the wheel. Texts are grouped by
length so that little is spent on padding; shapes come from a short list so that few programs are compiled.
"""

import functools
import os

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

WIDTH, HEADS, LAYERS, EPSILON = 384, 12, 6, 1e-12
LENGTHS = (3, 6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96)
TOKENS_PER_BATCH = 4096


def normalise(hidden, scale, shift):
    centred = hidden - hidden.mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + EPSILON) * scale + shift


@functools.partial(jax.jit, donate_argnums=())
def forward(weights, tokens, mask):
    """Mean of the last hidden states over the unmasked positions, batch x 384."""
    batch, length = tokens.shape
    hidden = (
        weights["embeddings.word_embeddings.weight"][tokens]
        + weights["embeddings.position_embeddings.weight"][:length]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    hidden = normalise(hidden, weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
    blocked = (1.0 - mask)[:, None, None, :] * -1e9
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."

        def linear(x, name):
            return x @ weights[prefix + name + ".weight"].T + weights[prefix + name + ".bias"]

        def norm(x, name):
            return normalise(x, weights[prefix + name + ".LayerNorm.weight"], weights[prefix + name + ".LayerNorm.bias"])

        query, key, value = (
            linear(hidden, f"attention.self.{part}").reshape(batch, length, HEADS, -1).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        attention = jax.nn.softmax(query @ key.transpose(0, 1, 3, 2) / jnp.sqrt(WIDTH / HEADS) + blocked, axis=-1)
        mixed = (attention @ value).transpose(0, 2, 1, 3).reshape(batch, length, WIDTH)
        hidden = norm(hidden + linear(mixed, "attention.output.dense"), "attention.output")
        inner = jax.nn.gelu(linear(hidden, "intermediate.dense"), approximate=False)
        hidden = norm(hidden + linear(inner, "output.dense"), "output")
    return (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)


class Teacher:
    def __init__(self, folder):
        stored = load_file(os.path.join(folder, "model.safetensors"))
        self.weights = {name: jnp.asarray(array, jnp.float32) for name, array in stored.items() if array.ndim}
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def encode_tokens(self, sequences):
        """Sequences of token ids, [CLS] and [SEP] included, to their mean outputs (not of unit length)."""
        result = np.zeros((len(sequences), WIDTH), np.float32)
        buckets = {}
        for index, sequence in enumerate(sequences):
            buckets.setdefault(next(length for length in LENGTHS if length >= len(sequence)), []).append(index)
        for length, members in sorted(buckets.items()):
            size = TOKENS_PER_BATCH // length
            for start in range(0, len(members), size):
                chosen = members[start : start + size]
                tokens, mask = np.zeros((size, length), np.int32), np.zeros((size, length), np.float32)
                mask[:, 0] = 1
                for row, index in enumerate(chosen):
                    tokens[row, : len(sequences[index])] = sequences[index]
                    mask[row, : len(sequences[index])] = 1
                result[chosen] = np.asarray(forward(self.weights, tokens, mask))[: len(chosen)]
        return result

    def encode(self, texts, longest=96):
        """Texts to unit vectors."""
        encoded = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        means = self.encode_tokens([[101] + e.ids[: longest - 2] + [102] for e in encoded])
        return means / np.linalg.norm(means, axis=1, keepdims=True)
