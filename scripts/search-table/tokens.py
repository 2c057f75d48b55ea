"""Which rows of the table does a text add up?

BERT WordPiece (lowercase, accents stripped, punctuation and CJK apart, greedy longest match) over a vocabulary that
also holds whole words which plain WordPiece would cut. A word that cannot be covered is skipped.
"""

import os

import numpy as np
from scipy import sparse
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

UNKNOWN = "[UNK]"


def bert_vocabulary(folder):
    """Tokens of the teacher with their ids, without [CLS]-like and [unused] entries: text never matches these."""
    with open(os.path.join(folder, "vocab.txt"), encoding="utf-8") as lines:
        tokens = [line.rstrip("\n") for line in lines]
    return [(number, token) for number, token in enumerate(tokens) if not (token.startswith("[") and token.endswith("]") and len(token) > 2)]


class Vocabulary:
    def __init__(self, tokens):
        self.tokens = list(tokens)
        table = {token: number for number, token in enumerate(self.tokens)}
        self.unknown = table[UNKNOWN] = len(self.tokens)
        self.tokenizer = Tokenizer(WordPiece(table, unk_token=UNKNOWN, max_input_chars_per_word=100))
        self.tokenizer.normalizer = BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True)
        self.tokenizer.pre_tokenizer = BertPreTokenizer()

    def __len__(self):
        return len(self.tokens)

    def encode(self, texts):
        encoded = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [[token for token in e.ids if token != self.unknown] for e in encoded]

    def counts(self, texts):
        """texts x rows, how often each row occurs."""
        lists = self.encode(texts)
        rows = np.repeat(np.arange(len(lists)), [len(ids) for ids in lists])
        columns = np.fromiter((token for ids in lists for token in ids), np.int64)
        ones = np.ones(len(columns), np.float32)
        return sparse.csr_matrix((ones, (rows, columns)), shape=(len(lists), len(self)))
