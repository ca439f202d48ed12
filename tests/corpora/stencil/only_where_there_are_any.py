# expect: LOC302 safe scope=blurred
# expect: LOC302 safe scope=around
# expect: LOC302 safe scope=laplacian
# expect: LOC302 safe scope=beside
# expect: LOC302 safe scope=along
import numpy as np

CROSS = [(-1, 0), (1, 0), (0, -1), (0, 1)]


def blurred(image):
    rows, cols = image.shape
    out = np.zeros((rows, cols))
    for i in range(rows):
        for j in range(cols):
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if 0 <= i + di < rows and 0 <= j + dj < cols:
                        out[i, j] += image[i + di, j + dj]
    return out / 9


def around(board):
    h, w = board.shape
    count = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            for dy in range(-1, 2):
                yy = y + dy
                if yy < 0 or yy >= h:
                    continue
                for dx in range(-1, 2):
                    xx = x + dx
                    if xx < 0 or xx >= w:
                        continue
                    if dy == 0 and dx == 0:
                        continue
                    count[y, x] += board[yy, xx]
    return count


def laplacian(u):
    n, m = u.shape
    out = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            total = 0
            for di, dj in CROSS:
                r, c = i + di, j + dj
                if 0 <= r < n and 0 <= c < m:
                    total += u[r, c]
            out[i, j] = total - 4 * u[i, j]
    return out


def beside(t):
    n, m = t.shape
    flow = np.zeros_like(t)
    for i in range(n):
        for j in range(m):
            s = 0.0
            if i > 1:
                s += 0.5 * t[i - 2, j]
            if i < t.shape[0] - 1:
                s -= t[i + 1, j]
            if j + 1 <= m - 1:
                s += t[i, j + 1] * 2
            flow[i, j] = s
    return flow


def along(signal: np.ndarray):
    n = len(signal)
    out = np.zeros(signal.shape[0])
    for i in range(n):
        for d in (-2, 2):
            if i + d < 0 or i + d >= n:
                continue
            out[i] += signal[i + d]
    return out


def cases(rng):
    for n in (6, 1, 0, 3):
        yield "along", (rng.standard_normal(n),), {}
    for shape in ((5, 7), (1, 1), (2, 3), (4, 1), (0, 3)):
        for name in ("blurred", "around", "laplacian", "beside"):
            yield name, (rng.standard_normal(shape),), {}
    yield "around", (rng.integers(0, 2, (4, 5)),), {}
