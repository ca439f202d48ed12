"""Kernels on sequences that are cut over the processes of a group of torch.distributed.

Each process holds the piece of the sequence at its rank, of any length, none included, and calls
the function of the kernel's name with its own piece:

    from auditor.kernels import sequence_parallel

    h = sequence_parallel.linear_scan(a, b, dim=1)      # as linear_scan of the whole, its piece

What the kernels fold with is associative, so a piece has a summary that no other piece is needed
for (a scan: what the piece does to the state; a softmax: its largest entry and its sum). Summaries
are gathered by all, each process combines those before its own, and applies the kernel to its piece
from there on. Gradients go back the same way: what all processes want of a summary is added up
where it came from.

Every process of the group has to make the same calls, and to run the backward pass where one of
them does, even for an empty piece: they wait for each other. The loss is the sum of those of all
processes. Of an operand that all of them hold alike (the rates of a selective scan, an initial
state) each gets its part of the gradient: their sum over the group is the gradient, as for any
parameter.

Sources: Martin and Cundy, "Parallelizing linear recurrent neural nets over sequence length"
(2018), for the scans; Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018);
Llama Team, "The Llama 3 herd of models" (2024), section 3.3.2, for attention to gathered keys.
"""

from .attention import flash_attention
from .scans import linear_scan, selective_scan
from .softmax import logsumexp, online_softmax

__all__ = ["flash_attention", "linear_scan", "logsumexp", "online_softmax", "selective_scan"]
