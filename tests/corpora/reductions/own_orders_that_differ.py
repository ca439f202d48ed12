# expect: ASC106 unsafe scope=best
# The loop asks `<`, which heaps are served by; `max` would ask `>`.


class Job:
    def __init__(self, priority):
        self.priority = priority

    def __lt__(self, other):
        return self.priority > other.priority

    def __gt__(self, other):
        return self.priority > other.priority


def best(jobs):
    kept = jobs[0]
    for job in jobs:
        if kept < job:
            kept = job
    return kept


def cases(rng):
    yield "lambda ns: best([Job(n) for n in ns]).priority", ([3, 1, 2],), {}
