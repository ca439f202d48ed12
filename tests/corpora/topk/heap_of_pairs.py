# expect: ASC110 safe scope=peaks
import heapq


def peaks(signal: list[float]):
    """The three highest samples with their places, the later first among equals."""
    heap = []
    for place, height in enumerate(signal):
        if len(heap) < 3:
            heapq.heappush(heap, (height, place))
        elif (height, place) > heap[0]:
            heapq.heapreplace(heap, (height, place))
    return sorted(heap, reverse=True)


def cases(rng):
    yield "peaks", ([1.0, 3.0, 3.0, 2.0, 3.0, 3.0],), {}
    for n in (0, 2, 9):
        yield "peaks", ([float(v) for v in rng.integers(0, 3, n)],), {}
