# refuse: RED501 the list that is summed gets shorter

from typing import List


def drained(tasks: List[float]):
    order = []
    while tasks:
        if sum(tasks) > 3:
            order.append(tasks.pop())
        else:
            order.append(tasks.pop(0))
    return order


def cases(rng):
    yield "drained", ([1.0, 2.0, 3.0, 0.5],), {}
