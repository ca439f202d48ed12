# may: ASC110 any scope=top_words
# A negative k is legal here and means something else.
def top_words(counts: dict[str, int], k: int) -> list[str]:
    return sorted(counts, key=counts.get, reverse=True)[:k]


def cases(rng):
    counts = {f"w{i}": int(c) for i, c in enumerate(rng.integers(0, 30, 25))}
    for k in (0, 1, 5, 40, -3):
        yield "top_words", (counts, k), {}
