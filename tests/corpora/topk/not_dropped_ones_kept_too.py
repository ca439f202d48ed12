# refuse: ASC110 what is dropped is kept elsewhere
import heapq


def both_sides(values: list[float]):
    heap, dropped = [], []
    for value in values:
        heapq.heappush(heap, value)
        if len(heap) > 3:
            dropped.append(heapq.heappop(heap))
    return sorted(heap, reverse=True), dropped


def cases(rng):
    for n in (0, 1, 4, 41):
        yield "both_sides", ([float(v) for v in rng.permutation(n)],), {}
