# expect: ASC110 safe scope=first_peaks
import heapq


def first_peaks(signal: list[float], k: int):
    heap = []
    for place, height in enumerate(signal):
        if len(heap) < k:
            heapq.heappush(heap, (height, -place))
        elif height > heap[0][0]:
            heapq.heapreplace(heap, (height, -place))
    heap.sort(reverse=True)
    return [-place for _, place in heap]


def cases(rng):
    for n in (0, 2, 9, 40):
        yield "first_peaks", ([float(v) for v in rng.integers(0, 3, n)], 4), {}
