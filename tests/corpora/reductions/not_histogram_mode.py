# refuse: the most frequent element is not a fold with a small state
def most_common(labels: list[str]):
    counts = {}
    best = None
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
        if best is None or counts[label] > counts[best]:
            best = label
    return best


def cases(rng):
    yield "most_common", (["a", "b", "b", "a", "a"],), {}
