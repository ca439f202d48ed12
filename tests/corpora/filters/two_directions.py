# expect: SEP204 advice scope=f
import numpy as np
from scipy import ndimage


def f(image: np.ndarray, g: np.ndarray):
    edge = np.array([1.0, 0.0, -1.0])
    across = ndimage.correlate(image, np.outer(g, edge), mode="mirror")
    down = ndimage.correlate(image, np.outer(edge, g), mode="mirror")
    return np.hypot(across, down)


def cases(rng):
    for shape, k in (((9, 8), 3), ((1, 1), 2), ((6, 13), 7)):
        yield "f", (rng.normal(size=shape), rng.normal(size=k)), {}
