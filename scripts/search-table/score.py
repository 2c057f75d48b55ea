"""In which order does a request rank the tools? The reference of what the product computes, from the written table."""

import numpy as np

from alignment import Wording
from catalogue import FIELDS
from families import families
from lexical import Lexical, clauses
from literals import without_literals
from tokens import Vocabulary
from write import read_table

# Share of words against meaning; share of the best clause against the whole request, for words and for meaning; how much
# of the whole request a clause keeps; weight of the server's mean vector; weight of the server's best tool.
LEXICAL, WORDS_CLAUSE, MEANING_CLAUSE, CONTEXT, SERVER_MEAN, SERVER_BEST = 0.3, 0.5, 0.5, 0.5, 0.45, 0.15
# How far the tools of a family share what it is about, and come up to the best of them.
FAMILY, FAMILY_BEST = 0.2, 0.3
# How many of the best are looked at again, what it gives to cover name, description and request word by word, what the
# best tool for a clause is given, and how much the whole request counts beside the clause then.
LOOKED_AT, COVERS, FOREMOST, WHOLE = 30, (1.0, 0.7, 3.0), 0.4, 0.5


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
    def __init__(self, table, fields, servers):
        self.table = table
        self.lexical, self.vectors = Lexical(fields), table.tools(fields)
        self.wording = Wording(table, fields)
        servers = list(servers) or [None] * len(fields)
        self.families = families(fields, servers, self.vectors)
        self.groups = None
        if any(servers):
            # A tool without a server is a server of its own.
            names = {}
            self.group_of = np.array([names.setdefault(server or tool, len(names)) for tool, server in enumerate(servers)])
            self.groups = [np.flatnonzero(self.group_of == group) for group in range(len(names))]
            self.means = unit(np.stack([self.vectors[members].mean(0) for members in self.groups]))

    def score(self, requests):
        requests = [without_literals(request) for request in requests]
        pieces = [clauses(request) for request in requests]
        lengths = [len(p) for p in pieces]
        starts = np.cumsum([0] + lengths[:-1])
        flat = [piece for p in pieces for piece in p]

        def best(scores):
            return np.maximum.reduceat(scores, starts, axis=0)

        whole = self.table.vectors(requests)
        in_context = unit(self.table.vectors(flat) + CONTEXT * np.repeat(whole, lengths, axis=0))
        meaning = whole @ self.vectors.T
        scores = LEXICAL * (
            (1 - WORDS_CLAUSE) * standard(self.lexical.score(requests)) + WORDS_CLAUSE * standard(best(self.lexical.score(flat)))
        ) + (1 - LEXICAL) * (
            (1 - MEANING_CLAUSE) * standard(meaning) + MEANING_CLAUSE * standard(best(in_context @ self.vectors.T))
        )
        scores = self.shared_in_families(scores, whole, meaning)
        if self.groups is not None:
            scores = scores + self.server_share(scores, whole, meaning)
        return self.refined(requests, pieces, in_context, scores)

    def shared_in_families(self, scores, whole, meaning):
        """The tools of a family share what fits one of them."""
        shared, spread = scores.copy(), meaning.std(1, keepdims=True) + 1e-6
        for tools in self.families:
            near = whole @ unit(self.vectors[tools].mean(0))
            shared[:, tools] += FAMILY * (near[:, None] - meaning[:, tools]) / spread
            shared[:, tools] += FAMILY_BEST * (scores[:, tools].max(1, keepdims=True) - scores[:, tools])
        return shared

    def refined(self, requests, pieces, in_context, scores):
        """The best are compared with the request word by word, and each clause puts its best one forward; none loses by it."""
        refined = scores.copy()
        best = np.argsort(-scores, axis=1, kind="stable")[:, :LOOKED_AT]
        start = 0
        for row, (request, tools) in enumerate(zip(requests, best)):
            refined[row, tools] += self.wording.covers(request, tools) @ np.array(COVERS)
            end = start + len(pieces[row])
            if end - start > 1:
                words = self.lexical.score(pieces[row])[:, tools]
                meaning = in_context[start:end] @ self.vectors[tools].T
                of_clause = LEXICAL * standard(words) + (1 - LEXICAL) * standard(meaning) + WHOLE * standard(refined[row : row + 1, tools])
                refined[row, tools[np.unique(of_clause.argmax(1))]] += FOREMOST
            start = end
        return refined

    def server_share(self, scores, whole, meaning):
        """What a tool gains from its server: how near the server's mean is, and how well its best tool does."""
        near = (whole @ self.means.T)[:, self.group_of]
        near = (near - near.mean(1, keepdims=True)) / (meaning.std(1, keepdims=True) + 1e-6)
        top = np.stack([scores[:, members].max(1) for members in self.groups], axis=1)[:, self.group_of]
        return SERVER_MEAN * near + SERVER_BEST * top
