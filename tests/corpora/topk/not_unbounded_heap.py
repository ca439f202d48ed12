# refuse: ASC110 the heap is a queue: all of it is popped in the end
import heapq


def schedule(jobs: list[tuple[float, str]]) -> list[str]:
    heap: list[tuple[float, str]] = []
    for job in jobs:
        heapq.heappush(heap, job)
    order = []
    while heap:
        order.append(heapq.heappop(heap)[1])
    return order


def cases(rng):
    yield "schedule", ([(float(p), str(i)) for i, p in enumerate(rng.random(12))],), {}
