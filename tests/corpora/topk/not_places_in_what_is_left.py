# refuse: ASC110 places are counted in what the earlier ones left


def draft(values: list[int]):
    pool = list(values)
    places = []
    for _ in range(2):
        place = pool.index(max(pool))
        places.append(place)
        pool.pop(place)
    return places


def cases(rng):
    yield "draft", ([1, 9, 2, 8],), {}
