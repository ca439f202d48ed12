# expect: RED503 advice scope=cheapest_way
# expect: RED503 advice scope=likeliest
# expect: RED503 advice scope=basis
# expect: RED503 safe scope=ways


def cheapest_way(grid, i, j):
    if i == 0 and j == 0:
        return grid[0][0]
    if i == 0:
        return grid[0][j] + cheapest_way(grid, 0, j - 1)
    if j == 0:
        return grid[i][0] + cheapest_way(grid, i - 1, 0)
    return grid[i][j] + min(cheapest_way(grid, i - 1, j), cheapest_way(grid, i, j - 1))


def likeliest(seen, t, state, moves, shows):
    if t == 0:
        return shows[state][seen[0]]
    best = max(likeliest(seen, t - 1, p, moves, shows) * moves[p][state] for p in range(len(moves)))
    return best * shows[state][seen[t]]


def basis(i, p, x, knots):
    if p == 0:
        return 1.0 if knots[i] <= x < knots[i + 1] else 0.0
    left, right = 0.0, 0.0
    if knots[i + p] != knots[i]:
        left = (x - knots[i]) / (knots[i + p] - knots[i]) * basis(i, p - 1, x, knots)
    if knots[i + p + 1] != knots[i + 1]:
        share = (knots[i + p + 1] - x) / (knots[i + p + 1] - knots[i + 1])
        right = share * basis(i + 1, p - 1, x, knots)
    return left + right


def ways(rows: int, columns: int) -> int:
    if rows == 0 and columns == 0:
        return 1
    if rows == 0:
        return ways(0, columns - 1)
    if columns == 0:
        return ways(rows - 1, 0)
    return ways(rows - 1, columns) + ways(rows, columns - 1)


def cases(rng):
    yield "cheapest_way", (rng.integers(0, 9, size=(3, 3)).tolist(), 2, 2), {}
    yield (
        "likeliest",
        ([0, 1, 0], 2, 1, rng.random((2, 2)).tolist(), rng.random((2, 2)).tolist()),
        {},
    )
    yield "basis", (0, 2, 1.5, [0, 1, 2, 3, 4, 5]), {}
    yield "ways", (3, 4), {}
