# refuse: what is set is given to an object of the class, which keeps all


class Kept:
    def __init__(self):
        self.log = []

    def __get__(self, owner, kind=None):
        return self.log[-1]

    def __set__(self, owner, value):
        self.log.append(value)


class Sum:
    so_far = Kept()

    def total(self, xs):
        self.so_far = 0
        for x in xs:
            self.so_far += x
        return self.so_far


def watched(xs):
    vars(Sum)["so_far"].log.clear()
    return Sum().total(xs), vars(Sum)["so_far"].log


def cases(rng):
    yield "watched", ([1, 2, 3],), {}
