"""Kernels: fast implementations behind the rewrites, each with its plain reference.

Needs torch; Triton is used where it is installed and the tensors are on a CUDA device. Nothing
here knows the auditor.
"""

from .selective_scan import selective_scan

__all__ = ["selective_scan"]
