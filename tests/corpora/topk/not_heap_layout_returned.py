# refuse: ASC110 the order in which a heap lies is returned
import heapq


def kept(values: list[float]):
    heap = []
    for value in values:
        heapq.heappush(heap, value)
        if len(heap) > 3:
            heapq.heappop(heap)
    return heap


def cases(rng):
    for n in (0, 1, 4, 41):
        yield "kept", ([float(v) for v in rng.permutation(n)],), {}
