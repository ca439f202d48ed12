# expect: ASC108 advice scope=LayerNorm.__call__
# expect: ASC108 advice scope=rms_norm
# expect: ASC108 advice scope=rescaled
# expect: ASC108 advice scope=batch_norm
import numpy as np


class LayerNorm:
    def __init__(self, dim, eps=1e-5):
        self.gain, self.bias, self.eps = np.ones(dim), np.zeros(dim), eps

    def __call__(self, x):
        mean = x.mean(axis=-1, keepdims=True)
        variance = x.var(axis=-1, keepdims=True)
        return self.gain * (x - mean) / np.sqrt(variance + self.eps) + self.bias


def rms_norm(x, weight, eps=1e-6):
    square = np.mean(np.square(x), axis=-1, keepdims=True)
    return x / np.sqrt(square + eps) * weight


def rescaled(x, eps=1e-6):
    centred = x - x.mean(-1, keepdims=True)
    return centred * np.power((centred**2).mean(axis=-1, keepdims=True) + eps, -0.5)


def batch_norm(x, gain, bias, eps=1e-5):
    mean, variance = np.mean(x, axis=0), np.var(x, axis=0)
    return gain * (x - mean) / np.sqrt(variance + eps) + bias


def cases(rng):
    for shape in ((3, 5), (1, 1), (0, 2)):
        x = rng.normal(size=shape)
        yield f"LayerNorm({shape[1]})", (x,), {}
        yield "rms_norm", (x, rng.normal(size=shape[1])), {}
        yield "rescaled", (x,), {}
