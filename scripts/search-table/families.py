"""Which tools without a server belong together? Those whose names begin with the same word and that mean about the same."""

from lexical import WORD, stem

TOOLS_AT_MOST, ALIKE_AT_LEAST = 12, 0.5


def families(fields, servers, vectors):
    """Lists of tools."""
    groups = {}
    for tool, (texts, server) in enumerate(zip(fields, servers)):
        words = WORD.findall(texts["name"].lower())
        if len(words) > 1 and not server:
            groups.setdefault(stem(words[0]), []).append(tool)
    return [tools for tools in groups.values() if 2 <= len(tools) <= TOOLS_AT_MOST and likeness(vectors[tools]) >= ALIKE_AT_LEAST]


def likeness(vectors):
    """Mean of each with each other one, from the length of their sum."""
    count = len(vectors)
    return ((vectors.sum(0) ** 2).sum() - count) / (count * (count - 1))
