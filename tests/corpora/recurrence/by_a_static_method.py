# expect: ASC101 safe scope=Cell.run
# expect: ASC101 safe scope=named
# expect: ASC101 safe scope=along_a_named_axis
import torch

TIME = 1


class Cell:
    @staticmethod
    def mix(previous, now, gate):
        return gate * previous + (1.0 - gate) * now

    def run(self, x, gate):
        h = torch.zeros_like(x[:, 0])
        kept = []
        for i in range(x.size(1)):
            h = self.mix(h, x[:, i], gate[:, i])
            kept.append(h)
        return torch.stack(kept, dim=1)


def named(x, gate):
    h = torch.zeros_like(x[0])
    kept = []
    for i in range(len(x)):
        h = Cell.mix(h, x[i], gate[i])
        kept.append(h)
    return torch.stack(kept)


def along_a_named_axis(x, gate):
    h = torch.zeros_like(x[:, 0])
    kept = []
    for now, g in zip(x.unbind(TIME), gate.unbind(TIME)):
        h = g * h + now
        kept.append(h)
    return torch.stack(kept, TIME)


def cases(rng):
    for name in ("Cell().run", "named", "along_a_named_axis"):
        for sizes in ((3, 5), (1, 1), (2, 3, 4)):
            yield name, (torch.randn(sizes, requires_grad=True), torch.rand(sizes)), {}
