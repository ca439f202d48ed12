# refuse: ASC110 whether an item counts depends on the one before it
import heapq


def runs(values: list[int]):
    heap = []
    previous = None
    for value in values:
        if value == previous:
            continue
        previous = value
        heapq.heappush(heap, value)
        if len(heap) > 2:
            heapq.heappop(heap)
    return sorted(heap, reverse=True)


def cases(rng):
    yield "runs", ([3, 3, 3, 1, 1, 2],), {}
