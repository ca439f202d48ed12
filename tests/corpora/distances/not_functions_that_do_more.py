# refuse: what the functions do besides computing, or what they mean, is not told by their text
import numpy as np

gamma = 0.5
calls = []


def counted(a, b):
    calls.append(1)
    return np.sum((a - b) ** 2)


def drawn(a, b):
    return np.sum((a - b) ** 2) + np.random.normal()


def changing(a, b):
    a -= b
    return np.sum(a**2)


def scaled(a, b):
    return gamma * np.sum((a - b) ** 2)


def with_count(x: np.ndarray, y: np.ndarray):
    n, _ = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = counted(x[i], y[j])
    return out, len(calls)


def with_noise(x: np.ndarray, y: np.ndarray):
    n, _ = x.shape
    m, _ = y.shape
    return np.array([[drawn(a, b) for b in y] for a in x])


def with_changes(x: np.ndarray, y: np.ndarray):
    n, _ = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = changing(x[i], y[j])
    return out


def with_its_own_name(x: np.ndarray, y: np.ndarray):
    gamma = 9.0
    n, _ = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = scaled(x[i], y[j])
    return out / gamma


class Base:
    def between(self, a, b):
        return np.sum((a - b) ** 2)

    def table(self, x: np.ndarray, y: np.ndarray):
        n, _ = x.shape
        m, _ = y.shape
        out = np.zeros((n, m))
        for i in range(n):
            for j in range(m):
                out[i, j] = self.between(x[i], y[j])
        return out


class Other(Base):
    def between(self, a, b):
        return 3 * a[0] + b[0] ** 3


def cases(rng):
    for n, m, d in ((5, 4, 3), (1, 1, 1)):
        for name in ("with_count", "with_noise", "with_changes", "with_its_own_name"):
            yield name, (rng.normal(size=(n, d)), rng.normal(size=(m, d))), {}
        yield "Other().table", (rng.normal(size=(n, d)), rng.normal(size=(m, d))), {}
