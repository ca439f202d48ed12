# expect: ASC110 safe scope=largest
# expect: ASC110 safe scope=best_places


def largest(xs, k: int):
    xs = list(xs)
    xs.sort(reverse=True)
    return xs[:k]


def best_places(scores, k: int):
    ranked = sorted(enumerate(scores), key=lambda pair: pair[1], reverse=True)
    return [i for i, _ in ranked[:k]]


def cases(rng):
    for k in (0, 2, 9, -1):
        yield "largest", ((3, 1, 4, 1, 5), k), {}
        yield "best_places", ([3.0, 1.0, 4.0, 1.0, 5.0], k), {}
