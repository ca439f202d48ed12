# expect: ASC110 safe scope=largest
# expect: ASC110 safe scope=kth
# expect: ASC110 safe scope=kth_by_place
# expect: ASC110 safe scope=smallest
# expect: ASC110 safe scope=three
import heapq
from heapq import heapify, heappop, heappush


def largest(nums: list[int], k: int):
    heap = nums[:k]
    heapq.heapify(heap)
    for x in nums[k:]:
        if x > heap[0]:
            heapq.heapreplace(heap, x)
    return sorted(heap, reverse=True)


def kth(nums: list[int], k: int) -> int:
    best = list(nums[:k])
    heapify(best)
    for number in nums[k:]:
        heapq.heappushpop(best, number)
    return best[0]


def kth_by_place(nums: list[int], k: int) -> int:
    heap = nums[:k]
    heapq.heapify(heap)
    for i in range(k, len(nums)):
        x = nums[i]
        if heap[0] < x:
            heappop(heap)
            heappush(heap, x)
    return heap[0]


def smallest(points: list[float], k: int):
    heap = [-p for p in points[:k]]
    heapq.heapify(heap)
    for p in points[k:]:
        if -heap[0] > p:
            heapq.heapreplace(heap, -p)
    return sorted(-p for p in heap)


def three(words: list[str]):
    heap = words[:3]
    heapq.heapify(heap)
    for word in words[3:]:
        if word > heap[0]:
            heapq.heapreplace(heap, word)
    heap.sort(reverse=True)
    return heap, words


def cases(rng):
    for n, k in ((0, 0), (3, 5), (7, 7), (20, 4), (40, 1)):
        nums = rng.integers(-9, 9, size=n).tolist()
        yield "largest", (nums, k), {}
        yield "smallest", (rng.normal(size=n).tolist(), k), {}
        if n and k:
            yield "kth", (nums, k), {}
            yield "kth_by_place", (nums, k), {}
        yield "three", ([str(x) for x in nums],), {}
