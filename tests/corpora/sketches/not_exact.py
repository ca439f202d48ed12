# refuse: RED510 the counts are to be exact

from collections import Counter


def votes(ballots):
    """Exact counts; an approximate tally is never good enough."""
    counts = Counter()
    for ballot in ballots:
        counts[ballot] += 1
    return counts.most_common(1)


def cases(rng):
    yield "votes", ("aab",), {}
