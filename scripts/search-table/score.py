"""In which order does a request rank the tools? The reference of what the product computes, from the written table."""

import numpy as np

from catalogue import FIELDS
from lexical import Lexical, clauses
from tokens import Vocabulary
from write import read_table

LEXICAL, CLAUSES, SAME_SERVER = 0.3, 0.5, 0.3


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def standard(scores):
    return (scores - scores.mean(1, keepdims=True)) / (scores.std(1, keepdims=True) + 1e-6)


class Table:
    def __init__(self, path):
        self.header, tokens, self.rows = read_table(path)
        self.vocabulary = Vocabulary(tokens)

    def vectors(self, texts):
        return unit(self.vocabulary.counts(texts) @ self.rows)

    def tools(self, fields):
        weights = self.header["fields"]
        return unit(sum(weights[name] * self.vectors([f[name] for f in fields]) for name in FIELDS))


class Scorer:
    def __init__(self, table, fields, servers=None):
        self.table, self.servers = table, servers
        self.lexical, self.vectors = Lexical(fields), table.tools(fields)

    def parts(self, requests):
        """The four score matrices: words and meaning, each of the whole request and of its best clause."""
        pieces = [clauses(request) for request in requests]
        starts = np.cumsum([0] + [len(p) for p in pieces[:-1]])
        flat = [piece for p in pieces for piece in p]
        best = lambda scores: np.maximum.reduceat(scores, starts, axis=0)
        meaning = lambda texts: self.table.vectors(texts) @ self.vectors.T
        return {
            "words": self.lexical.score(requests),
            "words_clause": best(self.lexical.score(flat)),
            "meaning": meaning(requests),
            "meaning_clause": best(meaning(flat)),
        }

    def score(self, requests):
        part = {name: standard(scores) for name, scores in self.parts(requests).items()}
        words = (1 - CLAUSES) * part["words"] + CLAUSES * part["words_clause"]
        meaning = (1 - CLAUSES) * part["meaning"] + CLAUSES * part["meaning_clause"]
        return self.with_servers(LEXICAL * words + (1 - LEXICAL) * meaning)

    def with_servers(self, scores):
        if not self.servers or not any(self.servers):
            return scores
        names = sorted(set(filter(None, self.servers)))
        result = scores.copy()
        for name in names:
            members = [tool for tool, server in enumerate(self.servers) if server == name]
            result[:, members] += SAME_SERVER * scores[:, members].max(1, keepdims=True)
        return result
