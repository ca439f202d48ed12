# expect: ASC110 safe scope=climb
import heapq


def climb(values: list[int]):
    heap = []
    for value in values:
        heapq.heappush(heap, value)
        if len(heap) > 3:
            heapq.heappop(heap)
    steps = []
    while heap:
        steps.append(heapq.heappop(heap))
    return steps


def cases(rng):
    for n in (0, 2, 9, 40):
        yield "climb", ([int(v) for v in rng.integers(0, 9, n)],), {}
