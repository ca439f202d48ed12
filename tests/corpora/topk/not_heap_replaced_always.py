# refuse: ASC110 what does not beat the least replaces it as well
import heapq


def latest(values: list[float]):
    heap = []
    for value in values:
        if len(heap) < 3:
            heapq.heappush(heap, value)
        else:
            heapq.heapreplace(heap, value)
    return sorted(heap, reverse=True)


def cases(rng):
    for n in (0, 1, 4, 41):
        yield "latest", ([float(v) for v in rng.permutation(n)],), {}
