"""Which tools share words with a request? BM25 over weighted fields, and how a request is cut into clauses."""

import re

import numpy as np
from scipy import sparse

from catalogue import split_identifier

STOP_WORDS = frozenset(
    "a an the of to and or in on for with is are was be been i me my you your it its this that these those can could "
    "would please help want need like do does did have has had will shall from by at as so if then also after before "
    "into about what how which who when where there their them us we our some any not no just get let make sure using "
    "use used able im ive id he she they him her his hers theirs whose whom since now up out off over under all every "
    "each both more most other another only such than too very much many one two first last here why while because "
    "until again once during between through against down same own being am were may might must should ll ve re don "
    "didn doesn isn won t s d m really maybe quite already still yet ever never always often today tomorrow yesterday "
    "tell know see go going come wanted give put take thing things way something anything everything someone anyone "
    "everyone nothing".split()
)
SUFFIXES = (
    ("ational", "ate"), ("ization", "ize"), ("ations", "ate"), ("ation", "ate"), ("ings", ""), ("ing", ""),
    ("ies", "y"), ("ied", "y"), ("ers", "er"), ("ed", ""), ("es", "e"), ("s", ""),
)  # fmt: skip
FIELD_WEIGHTS = {"name": 2.0, "server": 1.0, "description": 1.0, "parameters": 0.5, "parameter_descriptions": 0.25}
SATURATION, LENGTH_SHARE = 1.5, 0.6
WORD = re.compile(r"[a-z]+|[0-9]+|[\u4e00-\u9fff]")
CLAUSE = re.compile(
    r"(?:[.?!;]\s+)"
    r"|(?:,?\s+(?:and then|then|and also|after that|afterwards|finally|next|also|followed by|as well as|once (?:that|you)|before that)\s+)"
    r"|(?:,\s+)|(?:\s+and\s+)|\n+",
    re.I,
)


def stem(word):
    for suffix, replacement in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)] + replacement
            break
    if len(word) > 4 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        word = word[:-1]
    return word


def terms(text):
    return [stem(word) for word in WORD.findall(split_identifier(text).lower()) if word not in STOP_WORDS]


def clauses(request):
    """Pieces between sentence ends, commas and joining words; a piece under three words joins the one before."""
    pieces = []
    for piece in CLAUSE.split(request):
        piece = (piece or "").strip(" .,;!?")
        if not piece:
            continue
        if len(piece.split()) < 3 and pieces:
            pieces[-1] += " " + piece
        else:
            pieces.append(piece)
    return pieces or [request]


class Lexical:
    """BM25F: fields weighted into one term frequency, then saturated."""

    def __init__(self, tools):
        self.columns, rows, columns, values = {}, [], [], []
        for row, fields in enumerate(tools):
            frequency = {}
            for field, weight in FIELD_WEIGHTS.items():
                for term in terms(fields[field]):
                    frequency[term] = frequency.get(term, 0.0) + weight
            for term, value in frequency.items():
                rows.append(row)
                columns.append(self.columns.setdefault(term, len(self.columns)))
                values.append(value)
        matrix = sparse.csr_matrix((values, (rows, columns)), shape=(len(tools), len(self.columns)), dtype=np.float64)
        length = np.asarray(matrix.sum(1)).ravel()
        share = 1 - LENGTH_SHARE + LENGTH_SHARE * length / max(length.mean(), 1e-9)
        of_entry = np.repeat(share, np.diff(matrix.indptr))
        matrix.data = matrix.data * (SATURATION + 1) / (matrix.data + SATURATION * of_entry)
        holding = np.bincount(matrix.indices, minlength=len(self.columns))
        self.rarity = np.log(1 + (len(tools) - holding + 0.5) / (holding + 0.5))
        self.by_term = (matrix @ sparse.diags(self.rarity)).T.tocsr().astype(np.float32)

    def queries(self, texts):
        rows, columns = [], []
        for row, text in enumerate(texts):
            for term in set(terms(text)):
                if term in self.columns:
                    rows.append(row)
                    columns.append(self.columns[term])
        return sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape=(len(texts), len(self.columns)))

    def score(self, texts):
        return (self.queries(texts) @ self.by_term).toarray()
