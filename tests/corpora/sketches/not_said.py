# refuse: RED510 nothing says that approximate is enough

from collections import Counter


def histogram(stream, k):
    counts = Counter()
    for item in stream:
        counts[item] += 1
    return counts.most_common(k)


def cases(rng):
    yield "histogram", ("abcab", 1), {}
