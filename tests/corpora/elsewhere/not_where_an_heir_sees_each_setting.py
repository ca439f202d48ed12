# refuse: a class that derives from it does more where an attribute is set


class Sum:
    def total(self, xs):
        self.so_far = 0
        for x in xs:
            self.so_far += x
        return self.so_far


class Watched(Sum):
    log = []

    def __setattr__(self, name, value):
        self.log.append(value)
        self.__dict__[name] = value


def watched(xs):
    sums = Watched()
    sums.log.clear()
    return sums.total(xs), sums.log


def cases(rng):
    yield "watched", ([1, 2, 3],), {}
    yield "watched", ([],), {}
