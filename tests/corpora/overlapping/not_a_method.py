# refuse: RED503 the object may change between two calls


class Stairs:
    def __init__(self, longest):
        self.longest = longest

    def ways(self, n):
        if n <= 0:
            return int(n == 0)
        return sum(self.ways(n - k) for k in range(1, self.longest + 1))


def run():
    stairs = Stairs(2)
    first = stairs.ways(5)
    stairs.longest = 3
    return first, stairs.ways(5)


def cases(rng):
    yield "run", (), {}
