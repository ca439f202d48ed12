"""Runs the Triton kernels: interpreted on CPU, on a GPU where there is one, and the compiler."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from operators import OPERATORS

triton = pytest.importorskip("triton")
tl = pytest.importorskip("triton.language")

SUITE = Path(__file__).with_name("kernels_on_triton.py")


def run_suite(device: str, **environment: str) -> None:
    inherited = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", str(SUITE), "-q", "-o", "addopts="),
            *("--noconftest", "-p", "no:cacheprovider", "-p", "no:xdist"),
        ],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env={**inherited, "KERNELS_DEVICE": device, **environment},
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


def test_kernels_under_the_interpreter():
    run_suite("cpu", TRITON_INTERPRET="1", OMP_NUM_THREADS="1")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_kernels_on_the_gpu():
    run_suite("cuda")


HALF = {"x", "delta", "B", "C", "y", "dy", "dx", "ddelta", "a", "b", "out"}
HALF |= {"q", "k", "v", "o", "do", "dv"}
INTEGERS = {"weight": "*i8"}
NUMBERS = {"scale": "fp32"}


def compilations():
    """Each kernel with each of its switches, as (module, kernel, constants)."""
    scan = {"BLOCK_TIME": 32, "BLOCK_COLUMN": 64}
    switches = ("REVERSE", "NEIGHBOUR", "EXCLUSIVE", "SUMMARY", "OF_PARTS", "HAS_INITIAL")
    for on in ((), (*switches[:2], "HAS_INITIAL"), ("EXCLUSIVE",), ("SUMMARY",), switches[4:]):
        yield "triton_scan", "_scan_kernel", {**scan, **{name: name in on for name in switches}}
    tile = {"BLOCK": 32, "STATES": 16, "STAGES": 3}
    for summary, initial in ((False, True), (True, False)):
        constants = {**tile, "SUMMARY": summary, "HAS_INITIAL": initial}
        yield "selective_scan_triton", "_forward_kernel", constants
    yield "selective_scan_triton", "_adjoint_kernel", tile
    for later in (False, True):
        yield "selective_scan_triton", "_backward_kernel", {**tile, "HAS_LATER": later}
    tile = {"ROWS": 64, "BLOCK": 32, "HAS_DECAY": True}
    for adjoint in (False, True):
        yield "linear_attention_triton", "_summary_kernel", {**tile, "ADJOINT": adjoint}
        keeps = {"KEEP": adjoint, "HAS_INITIAL": True}
        yield "linear_attention_triton", "_forward_kernel", {**tile, **keeps}
        later = {"HAS_LATER": adjoint, "HAS_DECAY": adjoint}
        yield "linear_attention_triton", "_backward_kernel", {**tile, **later}
    for name in ("_whole_rows_kernel", "_whole_gradient_kernel", "_dot_kernel"):
        yield "online_softmax", name, {"BLOCK": 4096}
    for logarithm in (False, True):
        yield "online_softmax", "_statistics_kernel", {"BLOCK": 4096, "LOGARITHM": logarithm}
    for name in ("_normalise_kernel", "_gradient_kernel"):
        yield "online_softmax", name, {"BLOCK": 4096, "PARTS": 8}
    for name in ("_moments_kernel", "_moments_gradient_kernel"):
        yield "welford", name, {"BLOCK": 4096}
    yield "welford", "_merge_kernel", {"PARTS": 8}
    for gradient in (False, True):
        yield "nbody_triton", "_pairs_kernel", {"GRADIENT": gradient, "ROWS": 8, "COLUMNS": 128}
    for root in (False, True):
        yield "distances_triton", "_distances_kernel", {"SIDE": 64, "ROOT": root}
    yield "distances_triton", "_pulls_kernel", {"ROWS": 32, "WIDTH": 64, "TERMS": 256}
    tile = {"BLOCK_ROW": 16, "BLOCK_OUTPUT": 32, "BLOCK_INPUT": 256, "STAGES": 3}
    for operand in (tl.float32, tl.bfloat16):
        yield "linear_int8", "_kernel", {**tile, "HAS_BIAS": True, "OPERAND": operand}
    for operand in (tl.float32, tl.float16, tl.bfloat16):
        tile = {"OPERAND": operand, "PRECISION": "tf32x3" if operand == tl.float32 else "ieee"}
        tile |= {"WIDTH": 64, "V_WIDTH": 40, "PADDED": 64, "V_PADDED": 64}
        tile |= {"ROWS": 64, "COLUMNS": 64, "STAGES": 2}
        for name in ("_query_kernel", "_key_kernel"):
            yield "local_attention_triton", name, tile
        for keep in (False, True):
            yield "local_attention_triton", "_forward_kernel", {**tile, "KEEP": keep}


def compiled(module, name, constants, ones=False):
    """A kernel for a GPU that is not here; with `ones` all sizes and strides are 1, which Triton
    takes for constants."""
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    kernel = getattr(importlib.import_module(f"auditor.kernels.{module}"), name)
    if "ACCUMULATOR" in kernel.arg_names:
        constants = {**constants, "ACCUMULATOR": tl.float32}
    signature = {}
    narrow = {tl.float32: "*fp32", tl.float16: "*fp16"}.get(constants.get("OPERAND"), "*bf16")
    for argument in kernel.arg_names:
        if argument in constants:
            signature[argument] = "constexpr"
        elif argument.endswith("_ptr"):
            half = narrow if argument[:-4] in HALF else "*fp32"
            signature[argument] = INTEGERS.get(argument[:-4], half)
        elif argument in NUMBERS:
            signature[argument] = NUMBERS[argument]
        elif ones:
            signature[argument] = "constexpr"
            constants = {**constants, argument: 1}
        else:
            signature[argument] = "i32"
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm


needs_compiler = pytest.mark.skipif(
    os.environ.get("TRITON_INTERPRET") == "1", reason="interpreted kernels are not compiled"
)


@needs_compiler
@pytest.mark.parametrize("ones", [False, True])
@pytest.mark.parametrize("module, name, constants", list(compilations()))
def test_kernels_compile_for_a_gpu_that_is_not_here(module, name, constants, ones):
    assert compiled(module, name, constants, ones)["cubin"]


@needs_compiler
@pytest.mark.parametrize("module, name, constants", list(compilations()))
def test_products_with_strides_have_64_bits(module, name, constants):
    """Strides come as 32 bits where they fit into them: their products with places need not fit."""
    code = compiled(module, name, constants)["ttir"]
    tensors = "|".join(re.findall(r"%(\w+)_ptr:", code))
    strides = set(re.findall(rf"%(?:{tensors})_(?!ptr\b)\w+(?=:)", code))
    for spread, number in re.findall(r"(%\w+) = tt.splat (%\w+) :", code):
        strides |= {spread} & {spread if number in strides else None}
    narrow = re.findall(r"arith.muli (%\w+), (%\w+) : (?:tensor<[\dx]+xi32>|i32)", code)
    assert not [each for each in narrow if strides & {*each}]


@needs_compiler
@pytest.mark.parametrize("summary", [False, True])
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda each: each.name)
def test_printed_kernels_compile_for_a_gpu_that_is_not_here(operator, summary):
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    printed = importlib.import_module("auditor.kernels.associative_triton")
    arity = operator.arity
    text = printed.module_source(operator.combine, operator.combine, arity, arity)
    kernel = printed.loaded(text).scan_kernel
    constants = {"SUMMARY": summary, "ACCUMULATOR": tl.float32, "BLOCK_TIME": 16}
    constants["BLOCK_COLUMN"] = 32
    signature = dict.fromkeys(kernel.arg_names, "i32") | dict.fromkeys(constants, "constexpr")
    signature |= {each: "*fp32" for each in kernel.arg_names if each.endswith("_ptr")}
    signature["flag_ptr"] = "*i32"
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants)
    assert triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm["cubin"]
