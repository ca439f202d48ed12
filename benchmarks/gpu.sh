#!/bin/sh
# Tests and measures the kernels on a machine with a GPU, torch, triton, numpy and pytest; no
# network and none of the analysis' dependencies are needed.
#
#     benchmarks/gpu.sh OUTDIR
#
# OUTDIR receives tests.xml, tests.txt, kernels.json, kernels.txt and summary.json. The exit status
# is that of the tests, or of the benchmark if the tests passed.
set -u
[ $# -eq 1 ] || { echo "usage: $0 OUTDIR" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1" && out=$(cd "$1" && pwd) || exit 2
cd "$root" || exit 2

# A package directory with the installed names, should pip be unable to install.
shim=$(mktemp -d) && trap 'rm -rf "$shim"' EXIT
if ! python -m pip install --quiet --no-deps --no-build-isolation --target "$shim" . 2>"$out/pip.txt"
then
    mkdir -p "$shim/auditor"
    cp -r auditor/. "$shim/auditor/"
    cp -r kernels rewrites "$shim/auditor/"
fi
ln -s "$root/benchmarks" "$shim/benchmarks"
# python looks in the current directory first, and the checkout's own auditor/ lacks the kernels
cd "$shim" || exit 2

python - <<'CHECK' || exit 3
import sys, torch, auditor.kernels
print(torch.__version__, torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU")
print(auditor.kernels.__file__)
sys.exit(0 if torch.cuda.is_available() else 1)
CHECK

# the times first, while the machine is idle
python -m benchmarks.kernels --quick --device cuda --output "$out/kernels.json" \
    >"$out/kernels.txt" 2>&1
benchmark=$?
cat "$out/kernels.txt"

# side by side where pytest-xdist is there
parallel=$(python -c "import xdist; print('-n 6')" 2>/dev/null)
KERNELS_DEVICE=cuda python -m pytest "$root/tests/kernels_on_triton.py" -q -o addopts='' -o pythonpath= --noconftest \
    -p no:cacheprovider $parallel --junitxml="$out/tests.xml" >"$out/tests.txt" 2>&1
tests=$?
tail -n 15 "$out/tests.txt"

printf '{"tests_exit": %d, "benchmark_exit": %d}\n' "$tests" "$benchmark" >"$out/summary.json"
[ "$tests" -ne 0 ] && exit "$tests"
exit "$benchmark"
