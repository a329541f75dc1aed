"""What a file is, and how its findings are shown: a person's files, the empty one and the wrong one too."""

import json
import re
import runpy
import subprocess
from pathlib import Path

import pytest

from headrace.errors import HeadraceError
from headrace.job_scripts.findings import findings
from headrace.job_scripts.report import as_json, as_text
from job_script_cases import TABLE, all_of, codes, script


def report(path: Path, json_wanted: bool = False) -> tuple[str, int]:
    """What the command prints, and its exit code."""
    found = findings(path, TABLE)
    return as_json(path, found) if json_wanted else as_text(path, found), int(bool(found))


# Of the shape of what guides of centres and models have; no finding is right for any.
EVERYDAY = {
    "three lines": "#!/bin/bash\n#SBATCH -n 4\nsrun ./model\n",
    "one line": "mpirun -n 4 ./model\n",
    "a guide for one shared file": """#!/bin/bash
# Slurm job options (job-name, compute nodes, job time)
#SBATCH --job-name=shared
#SBATCH --time=0:20:0
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=128
#SBATCH --cpus-per-task=1
#SBATCH --account=[budget code]
#SBATCH --partition=standard
#SBATCH --qos=standard

module load cray-mpich-ucx
export OMP_NUM_THREADS=1
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
export FI_OFI_RXM_SAR_LIMIT=64K
export MPICH_MPIIO_HINTS="*:cray_cb_write_lock_mode=2,*:cray_cb_nodes_multiplier=4"
export MPICH_MPIIO_STATS=1
lfs setstripe -S 4m -c -1 resdir/
tar -x -b 2048 -f input.tar
srun --distribution=block:block --hint=nomultithread ./model resdir/out.nc
""",
    "GPUs with a wrapper from a here-document": """#!/bin/bash -l
#SBATCH --partition=standard-g
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8

cat << EOF > select_gpu
#!/bin/bash
export ROCR_VISIBLE_DEVICES=\\$SLURM_LOCALID
exec \\$*
EOF
chmod +x ./select_gpu
CPU_BIND="map_cpu:49,57,17,25,1,9,33,41"
export MPICH_GPU_SUPPORT_ENABLED=1
srun --cpu-bind=${CPU_BIND} ./select_gpu ./program args
rm -rf ./select_gpu
""",
    "PBS, a weather model": """#!/bin/bash
#PBS -q normal
#PBS -l select=2:ncpus=24:mpiprocs=24
#PBS -l walltime=04:00:00
#PBS -j oe
#PBS -W umask=0022
#PBS -N weather
module load openmpi
ulimit -s unlimited
cd $PBS_O_WORKDIR
env > run_environment.txt
ln -sf ../../WPS/met_em* .
time mpirun -np $PBS_NCPUS -report-bindings ./real.exe
mv rsl.error.0000 real.error
time mpirun -np $PBS_NCPUS -report-bindings ./wrf.exe
""",
    "arrays, functions and tests": """#!/usr/bin/env bash
#SBATCH --nodes=8 --ntasks-per-node=32
set -euo pipefail
shopt -s nullglob
options=(--input run.nml --steps "${STEPS:-100}")
if [[ ${DEBUG:-0} == 1 && -n ${HOME} ]]; then options+=(--debug); fi
function run() { local what=$1; shift; echo "run ${what}"; srun "$@" > "${what}.log" 2>&1; }
for ((i = 0; i < 3; i++)); do run "step$i" ./model "${options[@]}"; done
case "$(hostname)" in login*) exit 1 ;; *) : ;; esac
while read -r name; do run "$name" ./post "$name"; done < <(ls out)
""",
    "node-local scratch": """#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gres=nvme:100
tar xf /scratch/project/data.tar -C $LOCAL_SCRATCH
cd $LOCAL_SCRATCH
srun /projappl/project/model
mv results /scratch/project/
""",
    "a quantum chemistry program": """#!/bin/bash -l
#SBATCH -N 4
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=8
module load gcc openmpi cp2k
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK}
export OMPI_MCA_pml="ucx" OMPI_MCA_io="romio341"
srun cp2k.psmp H2O-512.inp > H2O-512_n${SLURM_NNODES}.out
""",
    "many jobs at once": """#!/bin/bash
#PBS -l select=4:ncpus=64
NNODES=$(wc -l < $PBS_NODEFILE)
NRANKS=32; DEPTH=2
NTOTRANKS=$(( NNODES * NRANKS ))
MPI_ARG="-n ${NTOTRANKS} --ppn ${NRANKS} --depth=${DEPTH} --cpu-bind depth"
split --lines=1 --suffix-length=1 $PBS_NODEFILE local.
for lh in local.*; do mpiexec ${MPI_ARG} --hostfile ${lh} ./model & done
wait
""",
}


@pytest.mark.parametrize("case", EVERYDAY)
def test_a_script_without_fault_has_no_finding(case: str, tmp_path: Path) -> None:
    assert all_of(tmp_path, EVERYDAY[case]) == []


def test_cut_anywhere_a_script_ends_in_findings_or_a_clear_error(tmp_path: Path) -> None:
    for text in EVERYDAY.values():
        for end in range(1, len(text), 11):
            try:
                found = all_of(tmp_path, text[:end])
            except HeadraceError as error:
                assert error.hint
            else:
                assert all(1 <= one.line <= text[:end].count("\n") + 1 for one in found)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"\n  \n", "is empty"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "is a binary file"),
        (b"#!/usr/bin/env python3\n#SBATCH -n 4\nimport os\n", "a script of python3, line 1: #!/usr/bin/env python3"),
        (b"#!/bin/csh\n#SBATCH -n 4\nsetenv A 1\n", "a script of csh, which is not read"),
        (b"#!/bin/tcsh -f\nsetenv A 1\n", "a script of tcsh, which is not read"),
        (b"#PBS -S /bin/csh\nsetenv FORT_BUFFERED true\n", "a script of csh, which is not read"),
        (b"setenv FORT_BUFFERED true\n", "a script of csh, which is not read"),
        (b"#!/bin/bash\n" + b"(" * 3000 + b"srun ./a" + b")" * 3000, "nested too deeply"),
        (b"#!/bin/bash\n" + b"srun ./a\n" * 30000, "more than 20,000 steps"),
    ],
)
def test_what_is_not_read_is_said(data: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "job"
    path.write_bytes(data)
    with pytest.raises(HeadraceError) as error:
        findings(path, TABLE)
    assert says in error.value.message
    assert str(path) in error.value.message
    assert "expected" in error.value.hint


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    for path, says in (
        *((tmp_path / "none", "No such file"), (tmp_path, "is a directory")),
        (circle, "Too many levels of symbolic links"),
    ):
        with pytest.raises(HeadraceError) as error:
            findings(path, TABLE)
        assert says in error.value.message
        assert error.value.hint


def test_an_older_encoding_is_read(tmp_path: Path) -> None:
    path = tmp_path / "job"
    path.write_bytes("#!/bin/bash\n# Läuft überall\ntar xf in.tar\n".encode("latin-1"))
    assert codes(findings(path, TABLE)) == [("HR951", 3)]


def test_a_value_that_doubles_does_not_fill_the_memory(tmp_path: Path) -> None:
    text = "#!/bin/bash\na=xx\nb=(x y)\n" + 'a=$a$a\nb=("${b[@]}" "${b[@]}")\n' * 40
    assert all_of(tmp_path, text + "srun ./model $a ${b[@]}\n") == []


HINTS = """# for the output of the model
romio_cb_write enable
romio_ds_write off
stripe_width 4
cb_bufer_size 16777216
striping_factor=8
romio_cb_read “enable”
"""


def test_a_file_of_hints(tmp_path: Path) -> None:
    found = all_of(tmp_path, HINTS, "romio-hints")
    assert codes(found) == [
        *(("HR913", 3), ("HR912", 4), ("HR911", 5), ("HR913", 6)),
        *(("HR902", 7), ("HR913", 7)),
    ]
    assert [one.instead for one in found][2:4] == ["cb_buffer_size", "striping_factor 8"]


def test_the_environment(tmp_path: Path) -> None:
    text = """SHELL=/bin/bash
HOME=/home/me
MPICH_MPIIO_HINTS=*:striping_facter=8
GFORTRAN_UNBUFFERED_ALL=y
FORT_BUFFERED=false
BASH_FUNC_module%%=() {  eval `$MODULES_CMD bash "$@"`
}
_=/usr/bin/env
"""
    assert codes(all_of(tmp_path, text, "env.txt")) == [("HR911", 3), ("HR924", 4), ("HR925", 5)]


def test_assignments_of_a_script_are_not_an_environment(tmp_path: Path) -> None:
    assert codes(all_of(tmp_path, "#!/bin/bash\nFORT_BUFFERED=true\nOUT=x\n")) == [("HR921", 2)]
    path = script(tmp_path, "FORT_BUFFERED=true\nOUT=x\n")
    assert findings(path, TABLE) == []
    assert codes(findings(path, TABLE, "script")) == [("HR921", 1)]


def test_text_and_json_say_the_same(tmp_path: Path) -> None:
    path = script(tmp_path, '#!/bin/bash\nexport FI_OFI_RXM_SAR_LIMIT=“64K”\ntar xf "in file.tar"\n')
    text, code = report(path)
    assert code == 1
    assert text.startswith(f"{path}: 2 findings\n")
    record = json.loads(report(path, json_wanted=True)[0])
    assert record["schema"] == "headrace-job-findings/1"
    for one in record["findings"]:
        assert f"{one['code']} {one['name']}  {path}:{one['line']}\n" in text
        for part in (one["what"], one["why"], one["source"]):
            assert re.sub(r"\s+", " ", part) in re.sub(r"\s+", " ", text)
        assert f"   write: {one['instead']}\n" in text
        assert re.search(r"\d{4}", one["source"]), "a source has its date"
    assert all(len(line) <= 100 for line in text.splitlines() if "write: " not in line and str(path) not in line)


def test_the_guide_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).resolve().parents[3]
    monkeypatch.chdir(tmp_path)
    guide = runpy.run_path(str(root / "test" / "guides" / "run_guide.py"))
    page = (root / "doc" / "howto" / "job_script.md").read_text()
    for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL):
        subprocess.run(["sh", "-e"], input=block, text=True, check=True)
    shown = re.findall(r"^\$ headrace advise --job-script (\S+).*?\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    assert [name for name, _ in shown] == ["job.slurm", "better.slurm"]
    for name, expected in shown:
        printed, code = report(Path(name))
        printed += f"exit code {code}\n" if code else ""
        assert guide["pattern"](expected).fullmatch(guide["as_compared"](printed)), printed


def test_nothing_found_is_exit_code_0(tmp_path: Path) -> None:
    path = script(tmp_path, EVERYDAY["three lines"])
    assert report(path) == (f"{path}: no findings\n", 0)
    assert json.loads(report(path, json_wanted=True)[0])["findings"] == []
