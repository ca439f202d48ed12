# expect: ASC106 safe scope=Sum.total


class Sum:
    def total(self, xs: list[int]):
        self.so_far = 0
        for x in xs:
            self.so_far += x
        return self.so_far


class Frozen:
    def __setattr__(self, name, value):
        raise AttributeError(name)


def cases(rng):
    yield "Sum().total", ([1, 2, 3],), {}
