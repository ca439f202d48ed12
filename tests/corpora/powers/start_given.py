# expect: ASC114 safe scope=advance
import torch


def advance(spread: torch.Tensor, turn: torch.Tensor, times: int):
    size, _ = turn.shape
    frames = torch.diag(spread).reshape(size, size)
    for _ in range(times):
        frames = torch.matmul(frames, turn)
    return frames


def cases(rng):
    for size, times in ((2, 1), (3, 9), (5, 0)):
        yield (
            "advance",
            (
                torch.randn(size, requires_grad=True),
                (torch.randn(size, size) / size).requires_grad_(),
                times,
            ),
            {},
        )
