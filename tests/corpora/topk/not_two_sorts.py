# refuse: ASC110 the second sort relies on the order that the first one left
def by_team_then_score(rows):
    rows = sorted(rows, key=lambda r: r[1], reverse=True)
    rows = sorted(rows, key=lambda r: r[0])
    return [row for i, row in enumerate(rows) if i == 0 or rows[i - 1][0] != row[0]]


def cases(rng):
    rows = [(int(t), int(s)) for t, s in zip(rng.integers(0, 3, 15), rng.integers(0, 9, 15))]
    yield "by_team_then_score", (rows,), {}
