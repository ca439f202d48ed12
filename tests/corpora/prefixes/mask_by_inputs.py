# expect: ASC105 safe scope=Model.forward
import torch

batch_size = 4
input_shape = (7,)


class Model(torch.nn.Module):
    def forward(self, x, mask):
        """The inputs below say how many axes there are, and that the mask holds truth values."""
        out = torch.empty_like(x)
        total = torch.zeros(x.shape[0])
        for i in range(x.shape[1]):
            total = total + x[:, i] * mask[:, i]
            out[:, i] = total
        return out


def get_inputs():
    x = torch.randn(batch_size, *input_shape)
    mask = torch.randint(0, 2, x.shape).bool()
    return [x, mask]


def cases(rng):
    for rows, columns in ((4, 7), (1, 2), (2, 1)):
        mask = torch.randint(0, 2, (rows, columns)).bool()
        yield "Model()", (torch.randn(rows, columns, requires_grad=True), mask), {}
