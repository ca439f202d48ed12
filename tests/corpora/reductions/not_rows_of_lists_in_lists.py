# refuse: ASC106 nothing says that the table is an array
def total(table, labels):
    result = 0.0
    for i in range(len(labels)):
        result += table[labels[i]][0]
    return result


def cases(rng):
    yield "total", ([[1.0, 2.0], [3.0, 4.0]], [0, 1, 1]), {}
    yield "total", ({"a": [1.0], "b": [2.0]}, "abba"), {}
