# expect: LOC306 safe scope=band
# expect: LOC306 safe scope=disc
# expect: LOC306 safe scope=lowpass
import numpy as np


def band(n, width):
    mask = np.full((n, n), -np.inf)
    for i in range(n):
        for j in range(n):
            if abs(i - j) <= width:
                mask[i, j] = 0.0
    return mask


def disc(height, width, y0, x0, radius):
    mask = np.zeros((height, width))
    for y in range(height):
        for x in range(width):
            if (y - y0) ** 2 + (x - x0) ** 2 <= radius * radius:
                mask[y, x] = 1.0
    return mask


def lowpass(spectrum: np.ndarray, radius: float):
    height, width = spectrum.shape
    out = np.zeros_like(spectrum)
    for u in range(height):
        for v in range(width):
            distance = np.sqrt((u - height / 2) ** 2 + (v - width / 2) ** 2)
            if distance <= radius:
                out[u, v] = spectrum[u, v]
    return out


def cases(rng):
    yield "band", (7, 2), {}
    yield "band", (0, 2), {}
    yield "disc", (5, 6, 2, 3, 2), {}
    yield "lowpass", (rng.standard_normal((5, 6)), 2.0), {}
