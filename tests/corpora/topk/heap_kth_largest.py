# expect: ASC110 safe scope=threshold
import heapq


def threshold(scores: list[float]):
    """The fourth largest of all, or the least where there are fewer."""
    heap = []
    for score in scores:
        heapq.heappush(heap, score)
        if len(heap) > 4:
            heapq.heappop(heap)
    return heap[0]


def cases(rng):
    for n in (1, 4, 41):
        yield "threshold", ([float(v) for v in rng.permutation(n)],), {}
