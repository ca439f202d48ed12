# expect: SPA406 safe scope=together
import numpy as np


def together(image: np.ndarray, shift: tuple[int, int]):
    found = np.zeros((8, 8))
    down, right = shift
    for y in range(1, image.shape[0] - 1):
        for x in range(1, image.shape[1] - 1):
            found[image[y, x], image[y + down, x + right]] += 1
    return found


def cases(rng):
    for shape in ((4, 5), (3, 3), (2, 2), (1, 0)):
        yield "together", (rng.integers(0, 8, size=shape), (0, 1)), {}
        yield "together", (rng.integers(0, 8, size=shape), (1, 0)), {}
