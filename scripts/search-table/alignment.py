"""How well do a request and a tool cover each other, word by word?

A word is covered as far as the other side has the same one or one that is near in meaning. It tells as much as it is
rare in the catalogue and as its vector is long.
"""

import numpy as np

from catalogue import FIELDS, split_identifier
from lexical import STOP_WORDS, WORD, stem

ALIKE_AT_LEAST, ASKED_AT_MOST = 0.2, 32


def words(text):
    return [word for word in WORD.findall(split_identifier(text).lower()) if word not in STOP_WORDS]


class Wording:
    def __init__(self, table, fields):
        self.table, self.terms, forms = table, {}, []
        self.held = []  # for each tool: terms, whether in its name, whether in its description
        for tool in fields:
            places = {}
            for field in FIELDS:
                for word in words(tool[field]):
                    term = self.terms.setdefault(stem(word), len(self.terms))
                    if term == len(forms):
                        forms.append(word)
                    places.setdefault(term, set()).add(field)
            inside = lambda field: np.array([field in where for where in places.values()], bool)
            self.held.append((np.fromiter(places, np.int64, len(places)), inside("name"), inside("description")))
        having = np.bincount(np.concatenate([terms for terms, _, _ in self.held]), minlength=len(forms))
        self.rarity = self.rare(having)
        self.vectors, length = self.understood(forms)
        self.tells = self.rarity * length

    def rare(self, having):
        return np.log(1 + (len(self.held) - having + 0.5) / (having + 0.5))

    def understood(self, forms):
        sums = np.asarray(self.table.vocabulary.counts(forms) @ self.table.rows)
        length = np.linalg.norm(sums, axis=1)
        return sums / np.maximum(length, 1e-9)[:, None], length

    def asked(self, request):
        """Terms (-1 where no tool has it), vectors and what they tell: the most telling words, each but once."""
        forms = {}
        for word in words(request):
            forms.setdefault(stem(word), word)
        if not forms:
            return np.zeros(0, np.int64), np.zeros((0, self.vectors.shape[1])), np.zeros(0)
        terms = np.array([self.terms.get(term, -1) for term in forms])
        vectors, length = self.understood(list(forms.values()))
        tells = np.where(terms < 0, self.rare(0), self.rarity[terms]) * length
        best = np.argsort(-tells, kind="stable")[:ASKED_AT_MOST]
        return terms[best], vectors[best], tells[best]

    def covers(self, request, tools):
        """tools x (name by request, description by request, request by tool), each 0 to 1."""
        asked, vectors, asked_tells = self.asked(request)
        found = np.zeros((len(tools), 3))
        for row, tool in enumerate(tools) if len(asked) else ():
            terms, in_name, in_description = self.held[tool]
            if not len(terms):
                continue
            alike = np.clip((self.vectors[terms] @ vectors.T - ALIKE_AT_LEAST) / (1 - ALIKE_AT_LEAST), 0, 1)
            alike[terms[:, None] == asked[None]] = 1
            covered = alike.max(1)
            for column, inside in enumerate((in_name, in_description)):
                tells = self.tells[terms] * inside
                found[row, column] = tells @ covered / max(tells.sum(), 1e-6)
            found[row, 2] = asked_tells @ alike.max(0) / max(asked_tells.sum(), 1e-6)
        return found
