# expect: LOC303 safe scope=convolve2d
import numpy as np


def convolve2d(image, kernel):
    kernel = np.flipud(np.fliplr(kernel))
    output = np.zeros_like(image)
    image_padded = np.zeros((image.shape[0] + 2, image.shape[1] + 2))
    image_padded[1:-1, 1:-1] = image
    for x in range(image.shape[1]):
        for y in range(image.shape[0]):
            output[y, x] = (kernel * image_padded[y : y + 3, x : x + 3]).sum()
    return output


def cases(rng):
    yield (
        "convolve2d",
        (
            rng.normal(
                size=(
                    9,
                    8,
                )
            ),
            rng.normal(
                size=(
                    3,
                    3,
                )
            ),
        ),
        {},
    )
