# expect: RED510 advice scope=trending
# may: ASC110 any scope=trending

from collections import defaultdict


def trending(lines, size):
    """The most frequent words of a log. Approximate counts are fine here."""
    seen = defaultdict(int)
    for line in lines:
        for word in line.split():
            seen[word] += 1
    return sorted(seen, key=lambda w: (-seen[w], w))[:size]


def cases(rng):
    yield "trending", (["a b a", "c a"], 2), {}
    yield "trending", ([], 2), {}
