# expect: RED510 advice scope=heavy_hitters

from collections import Counter


def heavy_hitters(events, k):
    counts = Counter()
    for event in events:
        counts[event] += 1
    return counts.most_common(k)


def cases(rng):
    yield "heavy_hitters", (["a", "b", "a", "c"], 2), {}
