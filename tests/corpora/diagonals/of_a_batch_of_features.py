# expect: SPA402 unsafe scope=motion
import torch


def motion(x: torch.Tensor, layers, w: torch.Tensor):
    feature = x.squeeze(-1).squeeze(-1)
    for layer in layers:
        feature = layer(feature)
    feature = feature.to(torch.float32)
    directions = torch.linalg.qr(w)[0]
    scaled = torch.matmul(torch.diag_embed(feature), directions.T)
    return torch.sum(scaled, dim=1)


def cases(rng):
    layers = [torch.tanh, torch.sin]
    yield "motion", (torch.randn(5, 4, 1, 1), layers, torch.randn(6, 4)), {}
