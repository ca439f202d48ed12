# refuse: a pattern, or a name of the module or of the function around, gets another value
import numpy as np

scale = np.eye(3) + 1


def of_the_module(x: np.ndarray):
    global scale
    scale = np.eye(3) + 1
    for _ in range(3):
        x = np.sin(x) / np.linalg.norm(scale)
        scale = scale + 1
    return x


def of_the_function_around(a: np.ndarray, x: np.ndarray):
    def steps():
        nonlocal a, x
        for _ in range(3):
            x = np.sin(x) / np.linalg.norm(a)
            a = a * 2

    steps()
    return x


def of_a_tuple(a: np.ndarray, x: np.ndarray):
    for k in range(3):
        x = np.sin(x) / np.linalg.norm(a)
        match (a * 2, k):
            case (a, _):
                pass
    return x


def of_a_mapping(a: np.ndarray, x: np.ndarray):
    for _ in range(3):
        x = np.sin(x) / np.linalg.norm(a)
        match {"a": a * 2}:
            case {"a": a}:
                pass
    return x


def cases(rng):
    yield "of_the_module", (rng.normal(size=4),), {}
    for name in ("of_the_function_around", "of_a_tuple", "of_a_mapping"):
        yield name, (rng.normal(size=(3, 3)), rng.normal(size=4)), {}
