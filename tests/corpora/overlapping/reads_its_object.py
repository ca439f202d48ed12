# expect: RED503 advice scope=Knapsack.best


class Knapsack:
    def __init__(self, weights, values):
        self.weights = weights
        self.values = values

    def best(self, i, room):
        if i == 0:
            return 0
        without = self.best(i - 1, room)
        if self.weights[i - 1] > room:
            return without
        return max(without, self.values[i - 1] + self.best(i - 1, room - self.weights[i - 1]))


class Known:
    def __init__(self):
        self.known = {}

    def fib(self, n):
        if n in self.known:
            return self.known[n]
        made = n if n < 2 else self.fib(n - 1) + self.fib(n - 2)
        self.known[n] = made
        return made


class Tree:
    def __init__(self, below):
        self.below = below

    def depth(self, node):
        if not self.below[node]:
            return 0
        return 1 + max(self.depth(each) for each in self.below[node])


def cases(rng):
    yield "Knapsack([1, 2, 3], [4, 5, 6]).best", (3, 4), {}
    yield "Known().fib", (9,), {}
    yield "Tree([[1, 2], [3], [], []]).depth", (0,), {}
