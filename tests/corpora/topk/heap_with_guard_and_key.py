# expect: ASC110 safe scope=longest
import heapq


def longest(words: list[str]):
    heap = []
    for word in words:
        if not word:
            continue
        entry = (len(word), word)
        heapq.heappush(heap, entry)
        if len(heap) > 2:
            heapq.heappop(heap)
    return [word for _, word in sorted(heap, reverse=True)]


def cases(rng):
    yield "longest", (["a", "", "ccc", "bb", "dddd", "ddd"],), {}
    yield "longest", ([],), {}
