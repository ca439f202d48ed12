# refuse: RED503 where the rest begins is given from elsewhere, or it is a list


def words(text: str, at: tuple) -> int:
    total = 0
    for place in at:
        total += words(text[place + 1 :], ())
    return total + len(text)


def pieces(text: list, k: int):
    if not text:
        return 1
    return sum(pieces(text[i + 1 :], k) for i in range(len(text)))


def cases(rng):
    yield "words", ("a b c", (1, 3)), {}
    yield "pieces", ([1, 2, 3], 2), {}
