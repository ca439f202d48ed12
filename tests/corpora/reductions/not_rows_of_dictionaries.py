# refuse: ASC106 the rows are dictionaries, whose keys are taken apart
def weight(rows: list[dict[float, float]]) -> float:
    total = 0.0
    for i in range(len(rows)):
        first, second = rows[i]
        total += first * second
    return total


def cases(rng):
    yield "weight", ([{2.0: 0.1, 3.0: 0.2}, {4.0: 0.3, 5.0: 0.4}],), {}
