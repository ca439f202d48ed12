# refuse: ASC110 of equal heights the earlier stay, which the pairs do not say
import heapq


def peaks(signal: list[float]):
    heap = []
    for place, height in enumerate(signal):
        if len(heap) < 3:
            heapq.heappush(heap, (height, place))
        elif height > heap[0][0]:
            heapq.heapreplace(heap, (height, place))
    return sorted(heap, reverse=True)


def cases(rng):
    yield "peaks", ([1.0, 3.0, 3.0, 2.0, 3.0, 3.0],), {}
