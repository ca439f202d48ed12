# expect: SYM601 safe scope=manhattan


def manhattan(points):
    size = len(points)
    result = [[0] * size for _ in range(size)]
    for i in range(size):
        for j in range(size):
            result[j][i] = abs(points[i][0] - points[j][0]) + abs(points[i][1] - points[j][1])
    return result


def cases(rng):
    yield "manhattan", ([(1.0, 2.0), (0.5, 3.0), (4.0, -1.0)],), {}
    yield "manhattan", ([(1, 2)],), {}
    yield "manhattan", ([],), {}
