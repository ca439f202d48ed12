# expect: RED505 safe scope=most_common
def most_common(words: list[str]):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    ranked = sorted(counts.items(), key=lambda pair: pair[1], reverse=True)
    return ranked[0]


def cases(rng):
    yield "most_common", (["b", "a", "b", "a", "c"],), {}
    yield "most_common", (["x"],), {}
