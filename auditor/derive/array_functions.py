"""The functions of matrices and vectors that a generated module calls. Nothing in the text of a
loop tells how many axes its arrays have: what a combine rests on is checked as it runs."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.algebra.matrix_maps import LOG, MAX, MIN, SUM
from auditor.derive.fold import WITHOUT_LIBRARY


def array_functions(library: str, text: str) -> str:
    """Those that a text calls, and that these call, of a library under its name."""
    kind, _, name = library.partition(" ")
    made = dict(_made(kind, name))
    wanted = [word for word in made if f"{word}(" in text]
    for word in wanted:
        body = made[word].partition("\n")[2]
        wanted += [w for w in made if w not in wanted and f"{w}(" in body]
    return "\n\n\n".join(made[word] for word in made if word in wanted)


def library_needed(library: str, text: str) -> bool:
    """Does a text call something that only a library computes?"""
    if library != WITHOUT_LIBRARY:
        return False
    made = dict(_made("any", "library"))
    return any("library." in body and f"{word}(" in text for word, body in made.items())


def _of_blocks(kind: str, name: str) -> Iterator[tuple[str, str]]:
    """What puts vectors together, and the blocks of the matrix that they are multiplied by."""
    device = ", device=like.device" if kind == "torch" else ""
    join, axis = ("cat", "dim") if kind == "torch" else ("concatenate", "axis")
    yield "weight", _checked(
        "weight", "`a`, which has to be one number, or one for each place of a vector.",
        "getattr(a, 'ndim', 0) < 2", "a vector is wanted",
    )  # fmt: skip
    yield "after_block", (
        "def after_block(a: Any, b: Any) -> Any:\n"
        '    """The matrix `a` times a block: a matrix, weights of places, or a number."""\n'
        "    return a @ b if getattr(b, 'ndim', 0) == 2 else a * b"
    )  # fmt: skip
    yield "weighted_block", (
        "def weighted_block(by: Any, a: Any) -> Any:\n"
        '    """A block with weights of places, or a number, afterwards."""\n'
        "    rows = getattr(a, 'ndim', 0) == 2 and getattr(by, 'ndim', 0) == 1\n"
        "    return by[:, None] * a if rows else by * a"
    )  # fmt: skip
    yield "both_blocks", (
        "def both_blocks(a: Any, b: Any) -> Any:\n"
        '    """The sum of two blocks."""\n'
        "    if getattr(a, 'ndim', 0) < 2 and getattr(b, 'ndim', 0) < 2:\n"
        "        return a + b\n"
        "    like = a if getattr(a, 'ndim', 0) == 2 else b\n"
        "    return whole_block(a, like, *like.shape) + whole_block(b, like, *like.shape)"
    )  # fmt: skip
    yield "whole_block", (
        "def whole_block(a: Any, like: Any, rows: int, columns: int) -> Any:\n"
        '    """A block of so many rows and columns as a matrix."""\n'
        "    axes = getattr(a, 'ndim', 0)\n"
        "    if axes == 2 and tuple(a.shape) == (rows, columns):\n"
        "        return a\n"
        "    if axes == 0 and a == 0:\n"
        f"        return {name}.zeros((rows, columns), dtype=like.dtype{device})\n"
        "    if axes > 1 or rows != columns or (axes and a.shape[0] != rows):\n"
        '        raise ValueError("a block of another shape")\n'
        f"    return {name}.eye(rows, dtype=like.dtype{device}) * a"
    )  # fmt: skip
    yield "block_lengths", (
        "def block_lengths(count: int, blocks: Any) -> list[int]:\n"
        '    """How long each of the vectors is that the blocks multiply."""\n'
        "    known: dict[int, int] = {}\n"
        "    for _ in range(count):\n"
        "        for place, block in enumerate(blocks):\n"
        "            row, column = divmod(place, count)\n"
        "            axes = getattr(block, 'ndim', 0)\n"
        "            if axes == 2:\n"
        "                said = block.shape\n"
        "            elif axes == 1:\n"
        "                said = (block.shape[0], block.shape[0])\n"
        "            elif axes == 0 and block != 0:\n"
        "                said = (known.get(column), known.get(row))\n"
        "            else:\n"
        "                continue\n"
        "            for one, length in zip((row, column), said):\n"
        "                if length is not None and known.setdefault(one, length) != length:\n"
        '                    raise ValueError("blocks of different lengths")\n'
        "    if len(known) < count:\n"
        '        raise ValueError("nothing says how long a vector is")\n'
        "    return [known[place] for place in range(count)]"
    )  # fmt: skip
    yield "block_rows", (
        "def block_rows(count: int, *blocks: Any) -> Any:\n"
        '    """The matrix of so many rows of blocks."""\n'
        "    long = block_lengths(count, blocks)\n"
        "    like = next(b for b in blocks if getattr(b, 'ndim', 0))\n"
        "    rows = []\n"
        "    for i in range(count):\n"
        "        row = blocks[count * i : count * (i + 1)]\n"
        "        made = [whole_block(b, like, long[i], n) for b, n in zip(row, long)]\n"
        f"        rows.append({name}.{join}(made, {axis}=1))\n"
        f"    return {name}.{join}(rows, {axis}=0)"
    )  # fmt: skip
    yield "block_sums", (
        "def block_sums(count: int, *given: Any) -> Any:\n"
        '    """What is added to each vector, one after the other; numbers to every place."""\n'
        "    blocks, parts = given[:-count], given[-count:]\n"
        "    like = next(b for b in given if getattr(b, 'ndim', 0))\n"
        "    filled = []\n"
        "    for part, length in zip(parts, block_lengths(count, blocks)):\n"
        "        if getattr(part, 'ndim', 0) == 0:\n"
        f"            part = {name}.ones(length, dtype=like.dtype{device}) * part\n"
        "        if tuple(part.shape) != (length,):\n"
        '            raise ValueError("what is added has another shape")\n'
        "        filled.append(part)\n"
        f"    return {name}.{join}(filled)"
    )  # fmt: skip
    yield "vectors_joined", (
        "def vectors_joined(*vectors: Any) -> Any:\n"
        '    """Vectors one after the other."""\n'
        f"    return {name}.{join}([with_axes(one, 1) for one in vectors])"
    )  # fmt: skip
    yield "vector_at", (
        "def vector_at(place: int, whole: Any, *vectors: Any) -> Any:\n"
        '    """The part of the whole that stands where a vector did."""\n'
        "    first = sum(one.shape[0] for one in vectors[:place])\n"
        "    return whole[first : first + vectors[place].shape[0]]"
    )  # fmt: skip


def _made(kind: str, name: str) -> Iterator[tuple[str, str]]:
    axis = "dim" if kind == "torch" else "axis"
    taken = f"{name}.asarray(a)" if kind == "numpy" else ""
    yield (
        "matrix",
        _checked(
            "matrix", "`a`, which has to be a matrix.", "a.ndim == 2", "a matrix is wanted", taken
        ),
    )
    yield (
        "vector",
        _checked(
            "vector", "`a`, which has to be a vector.", "a.ndim == 1", "a vector is wanted", taken
        ),
    )
    yield "square", _checked(
        "square", "`a`, which has to be a square matrix, or several.",
        "a.ndim > 1 and a.shape[-1] == a.shape[-2]", "a square matrix is wanted", taken,
    )  # fmt: skip
    yield "number", _checked(
        "number", "`a`, which has to be one number.", "getattr(a, 'ndim', 0) == 0",
        "a number is wanted",
    )  # fmt: skip
    yield (
        "transposed",
        (
            'def transposed(a: Any) -> Any:\n    """A square matrix, or several, transposed."""\n'
            "    return square(a).swapaxes(-1, -2)"
        ),
    )
    yield (
        "only_row",
        (
            'def only_row(a: Any) -> Any:\n    """The vector that a matrix of one row holds."""\n'
            "    if a.ndim > 2 or (a.ndim == 2 and a.shape[0] != 1):\n"
            '        raise ValueError("one row is wanted")\n'
            "    return a.reshape(-1)"
        ),
    )
    yield from _of_blocks(kind, name)
    yield (
        "with_axes",
        (
            "def with_axes(a: Any, *axes: int) -> Any:\n"
            '    """`a`, which has to have so many axes."""\n'
            "    if a.ndim not in axes:\n"
            '        raise ValueError(f"an array of {axes} axes is wanted")\n'
            "    return a"
        ),
    )
    yield (
        "added",
        (
            'def added(a: Any, b: Any) -> Any:\n    """The sum of arrays of one shape."""\n'
            "    if a.shape != b.shape:\n"
            '        raise ValueError("what is added has another shape")\n'
            "    return a + b"
        ),
    )
    place = ", device=by.device" if kind == "torch" else ""
    yield (
        "spread",
        (
            "def spread(a: Any, by: Any, axis: int) -> Any:\n"
            '    """The number `a` in every place along an axis of a matrix."""\n'
            f"    return {name}.ones(matrix(by).shape[axis], dtype=by.dtype{place}) * a"
        ),
    )
    yield (
        "outer",
        (
            'def outer(a: Any, b: Any) -> Any:\n    """The outer product of two vectors."""\n'
            "    return vector(a)[:, None] * vector(b)[None, :]"
        ),
    )
    for sign, word in (("*", "scaled"), ("+", "raised")):
        for what, index in (("columns", "[..., None, :]"), ("rows", "[..., :, None]")):
            yield (
                f"{what}_{word}",
                (
                    f"def {what}_{word}(a: Any, by: Any) -> Any:\n"
                    f'    """The {what} of `a` {word} each by its own number, or all by one."""\n'
                    f"    return a {sign} (by{index} if getattr(by, 'ndim', 0) else by)"
                ),
            )
    yield (
        "with_diagonal",
        (
            "def with_diagonal(a: Any, by: Any) -> Any:\n"
            '    """A square matrix with `by` added along its diagonal."""\n'
            f"    unit = {name}.eye(square(a).shape[-1], dtype=a.dtype)\n"
            "    return a + unit * (by[..., None, :] if getattr(by, 'ndim', 0) else by)"
        ),
    )
    yield (
        f"{SUM}_through",
        (
            f"def {SUM}_through(a: Any, by: Any) -> Any:\n"
            '    """Each row of `a` times its matrix."""\n'
            "    return (a[..., None, :] @ by)[..., 0, :]"
        ),
    )
    yield (
        "size",
        (
            "def size(a: Any) -> Any:\n"
            '    """The largest number in a matrix, whatever its sign; 1 if '
            'that is 0."""\n    return 1.0 if a is None else abs(a).max() or 1.0'
        ),
    )
    yield (
        "rescaled",
        (
            'def rescaled(a: Any) -> Any:\n    """A matrix over its size."""\n'
            "    return None if a is None else a / size(a)"
        ),
    )
    yield (
        "log_size",
        (
            'def log_size(a: Any) -> float:\n    """The logarithm of the size of a matrix."""\n'
            "    return math.log(size(a))"
        ),
    )
    for ring, numpy, torch, words in (
        (MAX, "max", "amax", "The largest sums"), (MIN, "min", "amin", "The least sums"),
        (LOG, "logaddexp.reduce", "logsumexp", "The logarithms of the sums of products"),
    ):  # fmt: skip
        reduced = f"{name}.{torch if kind == 'torch' else numpy}"
        yield (
            f"{ring}_product",
            (
                f"def {ring}_product(a: Any, b: Any) -> Any:\n"
                f'    """{words} over ways through two matrices."""\n'
                f"    return {reduced}(a[..., :, :, None] + b[..., None, :, :], {axis}=-2)"
            ),
        )
        yield (
            f"{ring}_through",
            (
                f"def {ring}_through(a: Any, by: Any) -> Any:\n"
                f'    """{words} over ways from each row through its matrix."""\n'
                f"    return {reduced}(a[..., :, None] + by, {axis}=-2)"
            ),
        )


def _checked(name: str, words: str, holds: str, otherwise: str, taken: str = "") -> str:
    made = f"    a = {taken}\n" if taken else ""
    return (
        f'def {name}(a: Any) -> Any:\n    """{words}"""\n{made}'
        f"    if not ({holds}):\n"
        f'        raise ValueError("{otherwise}")\n'
        "    return a"
    )


NAMES = frozenset(dict(_made("any", "library")))
"""All that they are called."""
