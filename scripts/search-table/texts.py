"""Which texts is the table distilled from, and which whole words get a row of their own?

Four sources, each with a licence that allows it (see README): requests and tools of the benchmark sets (training part
only), WordNet synsets, and operations of OpenAPI descriptions whose own licence field is permissive.
"""

import collections
import functools
import glob
import json
import os
import random
import re

from catalogue import split_identifier

METHODS = ("get", "put", "post", "delete", "patch")
PERMISSIVE = re.compile(r"^(the )?(mit|apache|bsd|isc|cc0|cc-by$|creative commons attribution (3\.0|4\.0)|unlicense)", re.I)
NOT_PERMISSIVE = re.compile(r"non-?commercial|share-?alike|-nc|-sa|no-?deriv", re.I)
WORD = re.compile(r"[a-z]{3,}")


def plain(text):
    """Markdown and HTML of API descriptions to plain text."""
    text = re.sub(r"<[^>]*>", " ", text if isinstance(text, str) else "")
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[\s`*#]+", " ", text).strip()


def first_sentences(text, limit):
    """Whole sentences up to the limit, at least one (cut if it must be)."""
    taken = ""
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        if taken and len(taken) + len(sentence) > limit:
            break
        taken = f"{taken} {sentence}".strip()
    return taken[:limit]


@functools.cache
def openapi_operations(folder, per_provider=1500, seed=1):
    """Operations of permissively licensed API descriptions, a bounded number of one provider."""
    providers = collections.defaultdict(dict)
    for path in sorted(glob.glob(os.path.join(folder, "api", "**", "*.json"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            description = json.load(file)
        info = description.get("info") or {}
        licence = info.get("license") or {}
        licence = str(licence.get("name") or "") if isinstance(licence, dict) else ""
        if not PERMISSIVE.match(licence.strip()) or NOT_PERMISSIVE.search(licence):
            continue
        for operation in operations_of(description, plain(info.get("title"))):
            providers[info.get("x-providerName")].setdefault((operation["summary"], operation["description"]), operation)
    chosen = []
    for provider in sorted(providers, key=str):
        operations = list(providers[provider].values())
        random.Random(seed).shuffle(operations)
        chosen += [dict(operation, provider=provider) for operation in operations[:per_provider]]
    return chosen


def operations_of(description, title):
    for path, item in (description.get("paths") or {}).items():
        for method in METHODS:
            operation = item.get(method) if isinstance(item, dict) else None
            if not isinstance(operation, dict):
                continue
            summary, text = plain(operation.get("summary")), plain(operation.get("description"))
            name = operation.get("operationId") or f"{method} {re.sub(r'{[^}]*}', '', path)}"
            parameters = [p for p in operation.get("parameters") or [] if isinstance(p, dict) and isinstance(p.get("name"), str)]
            if len(summary) + len(text) < 12:
                continue
            yield {
                "title": title,
                "name": split_identifier(str(name)),
                "summary": summary[:200],
                "description": first_sentences(text, 600),
                "parameters": " ".join(split_identifier(p["name"]) for p in parameters[:16]),
                "parameter_descriptions": " ".join(first_sentences(plain(p.get("description")), 120) for p in parameters[:16])[:800],
            }


def wordnet_synsets(folder):
    """(part of speech, lemmas, gloss with its examples) of all synsets without a proper name."""
    synsets = []
    for part in ("verb", "noun", "adj"):
        with open(os.path.join(folder, "dict", f"data.{part}"), encoding="latin1") as lines:
            for line in lines:
                if line.startswith("  "):
                    continue
                head, gloss = line.split(" | ", 1)
                columns = head.split()
                lemmas = [columns[4 + 2 * number].replace("_", " ") for number in range(int(columns[3], 16))]
                if not any(lemma[0].isupper() for lemma in lemmas):
                    synsets.append((part, [re.sub(r"\((a|p|ip)\)$", "", lemma) for lemma in lemmas], gloss.strip()))
    return synsets


def wordnet_texts(folder, seed=7):
    """`lemmas: meaning` of all verbs and many nouns and adjectives, and sentences that show a word in use."""
    synsets = wordnet_synsets(folder)
    examples = [example for _, _, gloss in synsets for example in re.findall(r'"([^"]{12,120})"', gloss)]
    shuffled = random.Random(seed)
    shuffled.shuffle(synsets)
    shuffled.shuffle(examples)
    texts = []
    for wanted, size in (("verb", len(synsets)), ("noun", 32000), ("adj", 10000)):
        texts += [", ".join(lemmas) + ": " + gloss.split(";")[0] for part, lemmas, gloss in synsets if part == wanted][:size]
    return texts + examples[:30000]


def distillation_texts(catalogues, wordnet, openapi, seed=2):
    """Pairs (source, text); the source is a set's name, `wordnet` or `openapi`."""
    texts = []
    for catalogue in catalogues:
        texts += [(catalogue.name, f["name"] + ". " + f["description"][:300]) for f in catalogue.fields]
        requests = [q for q, held in zip(catalogue.requests, catalogue.validation) if not held]
        random.Random(seed).shuffle(requests)
        texts += [(catalogue.name, request) for request in requests[:2500]]
    texts += [("wordnet", text) for text in wordnet_texts(wordnet)]
    operations = openapi_operations(openapi)
    for operation in operations:
        if operation["summary"]:
            texts.append(("openapi", operation["summary"]))
        if operation["description"]:
            texts.append(("openapi", operation["name"] + ". " + operation["description"][:300]))
    return texts


def openapi_requests(folder, seed=3):
    """(requests, tools' fields): an operation's summary should find its description, without its name every other time."""
    operations = [o for o in openapi_operations(folder) if len(o["summary"]) >= 15 and len(o["description"]) >= 40]
    operations = [o for o in operations if not o["description"].lower().startswith(o["summary"].lower().rstrip("."))]
    random.Random(seed).shuffle(operations)
    fields = [
        {
            "name": operation["name"] if number % 2 else "",
            "server": "",
            "description": operation["description"],
            "parameters": operation["parameters"],
            "parameter_descriptions": operation["parameter_descriptions"],
        }
        for number, operation in enumerate(operations)
    ]
    return [operation["summary"] for operation in operations], fields


def word_sources(catalogues, wordnet, openapi):
    """Texts in which whole words are counted, by source."""
    sources = {
        "wordnet": [" ".join(lemmas) + " " + gloss.split(";")[0] for _, lemmas, gloss in wordnet_synsets(wordnet)],
        "openapi": [" ".join(v for k, v in operation.items() if k != "provider") for operation in openapi_operations(openapi)],
    }
    for catalogue in catalogues:
        requests = [q for q, held in zip(catalogue.requests, catalogue.validation) if not held]
        sources[catalogue.name] = requests + [" ".join(fields.values()) for fields in catalogue.fields]
    return sources


def whole_words(sources, pieces_of, size):
    """Words that WordPiece cuts, most widespread first.

    A word counts by the share of a source's texts that hold it, so a large source does not outvote a small one. It must
    occur in two sources (or in twenty texts) and in four texts: names of one catalogue stay out.
    """
    share, total, spread = collections.Counter(), collections.Counter(), collections.Counter()
    for texts in sources.values():
        holding = collections.Counter(word for text in texts for word in set(WORD.findall(split_identifier(text).lower())))
        for word, number in holding.items():
            share[word] += number / len(texts)
            total[word] += number
            spread[word] += 1
    candidates = [word for word in share if total[word] >= 4 and (spread[word] >= 2 or total[word] >= 20)]
    cut = [word for word, pieces in zip(candidates, pieces_of(candidates)) if len(pieces) > 1]
    return sorted(cut, key=lambda word: (-share[word], word))[:size]
