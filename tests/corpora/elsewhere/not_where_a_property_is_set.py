# refuse: setting the attribute runs code


class Sum:
    def __init__(self):
        self.held, self.log = 0, []

    @property
    def so_far(self):
        return self.held

    @so_far.setter
    def so_far(self, value):
        self.log.append(value)
        self.held = value

    def total(self, xs):
        self.so_far = 0
        for x in xs:
            self.so_far += x
        return self.so_far


def watched(xs):
    sums = Sum()
    return sums.total(xs), sums.log


def cases(rng):
    yield "watched", ([1, 2, 3],), {}
