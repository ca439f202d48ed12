# refuse: ASC110 tasks of equal priority are not equal, and their order is kept by the sort alone
class Task:
    def __init__(self, priority, name):
        self.priority, self.name = priority, name

    def __lt__(self, other):
        return self.priority < other.priority


def first_two(tasks):
    return [task.name for task in sorted(tasks)[:2]]


def cases(rng):
    yield "lambda: first_two([Task(1, 'a'), Task(1, 'b'), Task(1, 'c'), Task(0, 'd')])", (), {}
    yield "first_two", ([],), {}
