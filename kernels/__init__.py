"""Kernels: fast implementations behind the rewrites, each with its plain reference.

Needs torch; Triton is used where it is installed and the tensors are on a CUDA device. Nothing
here knows the auditor. A kernel's reference is imported from its file, for instance
`from auditor.kernels.linear_scan import reference`.
"""

from .linear_scan import linear_scan
from .selective_scan import selective_scan

__all__ = ["linear_scan", "selective_scan"]
