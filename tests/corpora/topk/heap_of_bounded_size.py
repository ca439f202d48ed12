# expect: ASC110 safe|advice scope=largest_items
import heapq


def largest_items(stream):
    """The eight largest numbers of a stream, largest first, in bounded memory."""
    heap = []
    for value in stream:
        if len(heap) < 8:
            heapq.heappush(heap, value)
        elif value > heap[0]:
            heapq.heapreplace(heap, value)
    return sorted(heap, reverse=True)


def cases(rng):
    for n in (0, 5, 8, 100):
        yield "largest_items", (rng.standard_normal(n).tolist(),), {}
