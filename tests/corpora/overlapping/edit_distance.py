# expect: RED503 safe scope=levenshtein.distance


def levenshtein(a: str, b: str) -> int:
    def distance(i: int, j: int) -> int:
        if min(i, j) == 0:
            return max(i, j)
        cost = int(a[i - 1] != b[j - 1])
        insertion = distance(i, j - 1) + 1
        deletion = distance(i - 1, j) + 1
        return min(insertion, deletion, distance(i - 1, j - 1) + cost)

    return distance(len(a), len(b))


def cases(rng):
    yield "levenshtein", ("kitten", "sitting"), {}
    yield "levenshtein", ("", "a"), {}
