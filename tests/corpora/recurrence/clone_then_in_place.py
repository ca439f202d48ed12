# expect: ASC101 safe scope=reverberate
import torch


def reverberate(signal: torch.Tensor, feedback: float = 0.6) -> torch.Tensor:
    """A one-tap feedback comb along the last axis of (tracks, samples)."""
    wet = signal.clone()
    for n in range(1, wet.shape[-1]):
        wet[..., n] += feedback * wet[..., n - 1]
    return 0.5 * signal + 0.5 * wet


def cases(rng):
    for shape in ((1, 1), (3, 2), (2, 80)):
        signal = torch.tensor(rng.standard_normal(shape), dtype=torch.float32)
        yield "reverberate", (signal,), {}
        yield "reverberate", (signal, -0.3), {}
