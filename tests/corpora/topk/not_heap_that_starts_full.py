# refuse: ASC110 it starts elsewhere, keeps others, or lies in an order that is seen
import heapq


def another_start(nums: list[int], k: int):
    heap = nums[:k]
    heapq.heapify(heap)
    for x in nums[k + 1 :]:
        if x > heap[0]:
            heapq.heapreplace(heap, x)
    return sorted(heap)


def always(nums: list[int], k: int):
    heap = nums[:k]
    heapq.heapify(heap)
    for x in nums[k:]:
        heapq.heapreplace(heap, x)
    return sorted(heap)


def the_worse(nums: list[int], k: int):
    heap = nums[:k]
    heapq.heapify(heap)
    for x in nums[k:]:
        if x < heap[0]:
            heapq.heapreplace(heap, x)
    return sorted(heap)


def as_it_lies(nums: list[int], k: int):
    heap = nums[:k]
    heapq.heapify(heap)
    for x in nums[k:]:
        if x > heap[0]:
            heapq.heapreplace(heap, x)
    return heap


def no_heap(nums: list[int], k: int):
    heap = nums[:k]
    for x in nums[k:]:
        if x > heap[0]:
            heapq.heapreplace(heap, x)
    return sorted(heap)


def of_another(nums: list[int], others: list[int], k: int):
    heap = nums[:k]
    heapq.heapify(heap)
    for x in others[k:]:
        if x > heap[0]:
            heapq.heapreplace(heap, x)
    return sorted(heap)


def other_items(nums: list[int], k: int):
    heap = [-x for x in nums[:k]]
    heapq.heapify(heap)
    for x in nums[k:]:
        if x > heap[0]:
            heapq.heapreplace(heap, x)
    return sorted(heap)


def under_two_names(nums: list[int], k: int):
    heap = kept = nums[:k]
    heapq.heapify(heap)
    for x in nums[k:]:
        if x > heap[0]:
            heapq.heapreplace(heap, x)
    return sorted(heap), len(kept), kept[-1]


def shifted(nums: list[int], k: int, by: int):
    heap = [x + by for x in nums[:k]]
    heapq.heapify(heap)
    for x in nums[k:]:
        by = x
        if x + by > heap[0]:
            heapq.heapreplace(heap, x + by)
    return sorted(heap)


def cases(rng):
    nums = rng.integers(-9, 9, size=12).tolist()
    for name in ("another_start", "always", "the_worse", "as_it_lies", "no_heap", "other_items"):
        yield name, (nums, 4), {}
    yield "of_another", (nums, nums[::-1], 4), {}
    yield "under_two_names", (nums, 4), {}
    yield "shifted", (nums, 4, 2), {}
