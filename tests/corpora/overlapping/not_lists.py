# refuse: RED503 callers get a list that they may change


def moves(n: int):
    if n == 0:
        return [""]
    if n == 1:
        return ["S"]
    return [m + "S" for m in moves(n - 1)] + [m + "L" for m in moves(n - 2)]


def counted(n):
    found = moves(n)
    found.append("end")
    return found, len(moves(n))


def cases(rng):
    yield "counted", (4,), {}
