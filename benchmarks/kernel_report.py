"""The table and the plots of what `benchmarks/kernels.py` measured.

    python -m benchmarks.kernel_report FILE.json [--plots FOLDER]

The table is Markdown, on the screen. With --plots (which needs matplotlib) the folder receives
speed-up.svg, how many times as fast as the eager code and as the best other implementation by the
bytes of inputs and result, and roofline.svg, operations a second by operations a byte beside what
the machine does at most.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]

HEAD = (
    "| kernel | case | ms | eager | torch.compile | best other | floor | training, eager | memory "
    "| error | eager's | card, ms | card, best other |\n"
    "|---|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---|"
)


def times(ratio: float | None) -> str:
    """A ratio of two times, short."""
    if ratio is None:
        return ""
    return f"{ratio:.0f}x" if ratio >= 9.95 else f"{ratio:.2g}x"


def against(row: Row, name: str) -> float | None:
    """How many times as long as the kernel another one takes forward."""
    ms = row["forward"]["ms"]
    return ms[name] / ms["kernel"] if name in ms else None


def memory(row: Row) -> str:
    """What the kernel allocates beside what the eager code does."""
    kernel, eager = (row["memory"].get(name) for name in ("kernel", "eager"))
    return f"{kernel / eager:.2g}" if kernel is not None and eager else ""


def on_the_card(row: Row) -> tuple[str, str]:
    """The kernel's time without Python's share, and the best other one's of it."""
    card = row.get("card", {"ms": {}})
    if "kernel" not in card["ms"]:
        return "", ""
    best = card["best_other"]
    other = "" if best is None else f"{times(card['of_best_other'])} {best}"
    return f"{card['ms']['kernel']:.3g}", other


def line(row: Row) -> str:
    forward = row["forward"]
    best = forward["best_other"]
    cells = [
        row["family"],
        row["case"],
        f"{forward['ms']['kernel']:.3g}",
        times(forward["of_eager"]),
        times(against(row, "torch.compile")),
        "" if best is None else f"{times(forward['of_best_other'])} {best}",
        times(forward["of_floor"]),
        times(row["training"]["of_eager"]) if "training" in row else "",
        memory(row),
        f"{row['errors']['kernel']:.0e}",
        f"{row['errors']['eager']:.0e}",
        *on_the_card(row),
    ]
    return f"| {' | '.join(cells)} |"


def failures(rows: list[Row]) -> Iterator[str]:
    """What did not run: one line for each reason."""
    cases: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for name, why in row["failed"].items():
            cases.setdefault((name, why), []).append(row["family"])
    for (name, why), families in cases.items():
        yield f"- {name} ({', '.join(dict.fromkeys(families))}): {why}"


def table(result: dict[str, Any]) -> str:
    """The results as Markdown, under what they were measured on."""
    about, rows = result["provenance"], result["results"]
    versions = ", ".join(f"{name} {v}" for name, v in about["versions"].items() if v)
    threads = f"{about['threads']} threads" if about["threads"] > 1 else "1 thread"
    busy = "" if about["idle"] else (
        f" **The machine was busy ({about.get('at_work_before', about['load_before']):.1f} of "
        f"{about['cores']} cores): the ratios are rough, the times no measurement of the kernels.**"
    )  # fmt: skip
    missing = list(failures(rows))
    return "\n".join(
        [
            f"{about['device']}, {threads}, {about['date'][:10]}, commit {about['commit']}; "
            f"{versions}.{busy}",
            *(["", about["note"]] if "note" in about else []),
            "",
            "Times are medians of a forward pass; *eager*, *torch.compile* and *best other* say",
            "how many times as long these take, *floor* how many times the floor the kernel takes,",
            "*memory* what the kernel allocates of what the eager code does. *card*: the time",
            "without what Python takes for a call, by replays of a CUDA graph (*floor* is of it).",
            "",
            HEAD,
            *map(line, rows),
            *(["", "Did not run:", "", *missing] if missing else []),
            "",
        ]
    )


# ----------------------------------------------------------------------------------------- plots


def speed_up(axes: Any, rows: list[Row]) -> None:
    chosen: list[tuple[str, Callable[[Row], float | None]]] = [
        ("eager", lambda row: row["forward"]["of_eager"]),
        ("best other", lambda row: row["forward"]["of_best_other"]),
    ]
    for (name, ratio), marker in zip(chosen, "o^", strict=True):
        points = [(row["bytes"], ratio(row)) for row in rows if ratio(row) is not None]
        axes.plot(*zip(*points, strict=True), marker, label=f"against {name}", alpha=0.7)
    for row in rows:
        axes.annotate(row["family"], (row["bytes"], row["forward"]["of_eager"]), fontsize=6)
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set(
        xscale="log", yscale="log", xlabel="bytes of inputs and result", ylabel="times as fast"
    )
    axes.legend()


def roofline(axes: Any, rows: list[Row], rate: float) -> None:
    """rate: operations a second. The copies that took turns with the kernels are the bandwidth."""
    rows = [row for row in rows if row["operations"]]
    bandwidth = max(row["bytes"] / row["forward"]["ms"]["copy"] for row in rows) * 1e3
    intensity = [row["operations"] / row["bytes"] for row in rows]
    ends = (min(intensity) / 2, max(intensity) * 2)
    corner = min(max(rate / bandwidth, ends[0]), ends[1])
    line = sorted({ends[0], corner, ends[1]})
    axes.plot(line, [min(rate, x * bandwidth) for x in line], color="grey")
    for marker, name in (("o", "kernel"), ("x", "eager")):
        speeds = [row["operations"] / row["forward"]["ms"][name] * 1e3 for row in rows]
        axes.plot(intensity, speeds, marker, label=name, alpha=0.7)
    for row, x in zip(rows, intensity, strict=True):
        y = row["operations"] / row["forward"]["ms"]["kernel"] * 1e3
        axes.annotate(row["family"], (x, y), fontsize=6)
    axes.set(xscale="log", yscale="log", xlabel="operations a byte", ylabel="operations a second")
    axes.legend()


def plots(result: dict[str, Any], folder: Path) -> None:
    """Writes both. Needs matplotlib."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "benchmarks"  # the same file of the same numbers
    from matplotlib import pyplot

    rate = result["provenance"]["operations_per_second"]
    drawn: dict[str, Callable[[Any], None]] = {
        "speed-up": lambda axes: speed_up(axes, result["results"]),
        "roofline": lambda axes: roofline(axes, result["results"], rate),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in drawn.items():
        figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
        draw(axes)
        about = result["provenance"]
        axes.set_title(f"{about['device']}" + ("" if about["idle"] else ", busy"), fontsize=9)
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("results", type=Path, help="what benchmarks.kernels --output wrote")
    parser.add_argument("--plots", type=Path, help="the folder for the plots")
    options = parser.parse_args()
    result = json.loads(options.results.read_text())
    print(table(result))
    if options.plots:
        plots(result, options.plots)


if __name__ == "__main__":
    main()
