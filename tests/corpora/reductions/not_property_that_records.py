# refuse: the loop asks every record, `any` only up to the first that is large
class Record:
    def __init__(self, size, asked):
        self.size, self.asked = size, asked

    @property
    def large(self):
        self.asked.append(self.size)
        return self.size > 2


def scan(sizes: list[int]):
    asked = []
    records = [Record(size, asked) for size in sizes]
    found = False
    for record in records:
        if record.large:
            found = True
    return found, asked


def cases(rng):
    yield "scan", ([1, 3, 4],), {}
    yield "scan", ([1],), {}
