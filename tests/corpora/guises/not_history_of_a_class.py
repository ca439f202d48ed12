# refuse: what is added to may be read by a method of the list
class Metrics:
    history: list = []
    total = 0

    def update(self, xs):
        for x in xs:
            self.total += x
        Metrics.history.append(self.total)
        return self.total


def cases(rng):
    yield "Metrics().update", ([1, 2, 3],), {}
