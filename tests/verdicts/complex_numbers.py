"""The absolute value of a complex number is not that number: it has no sign."""

import numpy as np
import torch


# redundancy: fails|unknown
def largest_array_factor(theta, d, n):
    best = 0.0
    for t in theta:
        best = max(best, abs(sum(np.exp(1j * k * d * t) for k in range(n))))
    return best


# redundancy: fails|unknown
def magnitudes(w, angles):
    total = 0.0
    for i in range(len(w)):
        total += abs(np.exp(1j * angles[i]) ** 2)
    return total


# redundancy: fails|unknown
# associativity: holds proof "then the result = abs("
def locked(phase):
    return np.abs(np.mean(np.exp(1j * phase)))


# redundancy: fails|unknown
def converted__astype(x):
    z = x.astype(complex)
    return np.abs(np.sqrt(z**2)).sum()


# redundancy: fails|unknown
def converted__width(x: np.ndarray):
    z = np.exp(x.astype(np.complex64) * 1.5)
    return abs(z).sum()


# redundancy: fails|unknown
def viewed__power(x):
    z = torch.view_as_complex(x)
    return (z**2).abs().sum()


# redundancy: fails|unknown
def viewed__exponential(r, a):
    z = torch.polar(r, a)
    return z.exp().abs().sum()


# redundancy: fails|unknown
def spectrum(x):
    return np.abs(np.exp(np.fft.rfft(x))).sum()


# redundancy: holds
def real_part(x):
    return np.abs(np.exp(np.abs(np.fft.rfft(x)))).sum()


# redundancy: holds
def transformed_back(x):
    return np.abs(np.exp(np.fft.irfft(x))).sum()


# symmetry: holds proof "f(t, "
def transform(x):
    n = len(x)
    out = np.zeros(n)
    for k in range(n):
        s = 0j
        for t in range(n):
            s += x[t] * np.exp(-2j * np.pi * k * t / n)
        out[k] = abs(s)
    return out
