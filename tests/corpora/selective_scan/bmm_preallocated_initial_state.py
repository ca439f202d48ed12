# may: ASC102 safe scope=SSMCore.scan
# may: ASC101 safe|advice scope=SSMCore.scan
import torch


class SSMCore:
    def scan(self, x, dt, A, B, C, h0):
        """Continues from a given state and hands the new one back."""
        h = h0
        y = torch.empty_like(x)
        for t in range(x.size(1)):
            step = dt[:, t].unsqueeze(2)
            a = (step * A.unsqueeze(0)).exp()
            b = (step * x[:, t].unsqueeze(2)) * B[:, t].unsqueeze(1)
            h = a * h + b
            y[:, t] = torch.bmm(h, C[:, t].unsqueeze(2)).squeeze(2)
        return y, h


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for b, l in ((1, 1), (3, 21)):
        dt = torch.tensor(rng.random((b, l, 4))).float()
        A = -torch.tensor(rng.random((4, 2))).float()
        args = (draw(b, l, 4), dt, A, draw(b, l, 2), draw(b, l, 2), draw(b, 4, 2))
        yield "SSMCore().scan", tuple(a.requires_grad_() for a in args), {}
