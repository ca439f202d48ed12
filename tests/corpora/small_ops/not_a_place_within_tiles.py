# refuse: each tile is filled with one of its elements, or in another order
import torch


def held(n: int, size: int, place: int):
    x = torch.arange(n)
    y = torch.zeros(n)
    for start in range(0, n, size):
        stop = start + size
        tile = x[start:stop]
        y[start:stop] = tile[place]
    return y


def turned(n: int, size: int):
    places = torch.arange(n)
    order = torch.arange(size).flip(0)
    for start in range(0, n, size):
        stop = start + size
        tile = places[start:stop]
        places[start:stop] = tile[order]
    return places


def cases(rng):
    yield "held", (8, 4, 2), {}
    yield "turned", (8, 4), {}
