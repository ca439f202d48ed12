# expect: ASC110 safe scope=best_of_all
import heapq


def best_of_all(chunks: list[list[float]]):
    best = []
    for chunk in chunks:
        best = heapq.nlargest(5, best + chunk)
    return best


def cases(rng):
    yield "best_of_all", ([[1.0, 4.0], [], [0.5, 9.0, 4.0, 4.0, -1.0, 2.0]],), {}
    yield "best_of_all", ([],), {}
