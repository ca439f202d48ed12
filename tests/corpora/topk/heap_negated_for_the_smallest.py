# expect: ASC110 safe scope=cheapest
import heapq


def cheapest(prices: list[int], k: int):
    heap: list[int] = []
    for price in prices:
        if len(heap) < k:
            heapq.heappush(heap, -price)
        elif price < -heap[0]:
            heapq.heapreplace(heap, -price)
    return sorted(-price for price in heap)


def cases(rng):
    for n in (0, 2, 9, 40):
        yield "cheapest", ([int(v) for v in rng.integers(0, 9, n)], 4), {}
