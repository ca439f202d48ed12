# expect: ASC106 unsafe scope=total
# expect: ASC114 unsafe scope=power


class Amount:
    def __init__(self, n):
        self.n = n

    def __radd__(self, other):
        return self if other == 0 else Amount(other + self.n)

    def __add__(self, other):
        return Amount(self.n + other.n)

    def __iadd__(self, other):
        self.n += other.n
        return self

    def __mul__(self, other):
        return Amount(self.n * other.n + 1)


def total(amounts):
    s = 0
    for one in amounts:
        s += one
    return s


def power(x, n):
    r = x
    for _ in range(n):
        r = r * x
    return r


def summed(numbers):
    amounts = [Amount(n) for n in numbers]
    return total(amounts).n, [one.n for one in amounts]


def cases(rng):
    yield "summed", ([1, 2, 3],), {}
    yield "lambda n: power(Amount(2), n).n", (3,), {}
