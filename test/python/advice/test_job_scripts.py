"""What is wrong in a job script is found, on its line, and what looks like it and is right is not."""

import subprocess
from pathlib import Path

import pytest

from headrace.job_scripts.findings import findings
from headrace.rules.job_scripts import JOB_SCRIPTS
from job_script_cases import all_of, codes, script

SLURM = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=128\n"  # three lines
CRAY = SLURM + "module load cray-mpich\n"
OPEN_MPI = SLURM + "module load openmpi/4.1.6\n"

PLANTED = {
    "the hint line of ARCHER2's guide": (
        SLURM + 'export MPICH_MPIIO_HINTS="*:cray_cb_write_lock_mode=2,*:cray_cb_nodes_multiplier=4”\nsrun ./model\n',
        [("HR902", 4)],
    ),
    "both quotes are typographic": (SLURM + "export FI_OFI_RXM_SAR_LIMIT=“64K”\nsrun ./model\n", [("HR902", 4)]),
    "a string with a typographic end, and another string later": (
        SLURM + 'NAME="run one”\nsrun ./model "$NAME"\necho "done"\n',
        [("HR902", 4)],
    ),
    "a long dash before an option": (SLURM + "srun –n 4 ./model\n", [("HR902", 4)]),
    "a directive": ("#!/bin/bash\n#SBATCH --job-name=“flow”\nsrun ./model\n", [("HR902", 2)]),
    "Windows line ends": (SLURM.replace("\n", "\r\n") + "srun ./model\r\n", [("HR903", 1)]),
    "a misspelled hint": (
        CRAY + 'export MPICH_MPIIO_HINTS="*:striping_facter=8"\nsrun ./model\n',
        [("HR911", 5)],
    ),
    "a hint of OMPIO for Cray": (
        CRAY + 'export MPICH_MPIIO_HINTS="*:collective_buffering=true"\nsrun ./model\n',
        [("HR912", 5)],
    ),
    "Cray's variable with Open MPI": (
        OPEN_MPI + 'export MPICH_MPIIO_HINTS="*:cb_nodes=4"\nmpirun ./model\n',
        [("HR912", 5)],
    ),
    "a file for ROMIO, and OMPIO does the I/O": (
        OPEN_MPI + "export ROMIO_HINTS=hints\nmpirun ./model\n",
        [("HR912", 5)],
    ),
    "a switch that is no word of ROMIO": (
        CRAY + 'export MPICH_MPIIO_HINTS="*:romio_cb_write=true"\nsrun ./model\n',
        [("HR913", 5)],
    ),
    "a hint without a pattern of files": (
        CRAY + 'export MPICH_MPIIO_HINTS="cb_nodes=4"\nsrun ./model\n',
        [("HR913", 5)],
    ),
    "a size in MiB, in a file that the script writes": (
        SLURM
        + "cat > hints <<EOF\nromio_cb_write enable\ncb_buffer_size 16M\nEOF\nexport ROMIO_HINTS=hints\nsrun ./m\n",
        [("HR913", 6)],
    ),
    "name=value in a file for ROMIO": (
        SLURM + "cd $SCRATCH\ncat <<EOF > hints\nstriping_factor=8\nEOF\nexport ROMIO_HINTS=$SCRATCH/hints\nsrun ./m\n",
        [("HR913", 6)],
    ),
    "not exported": (SLURM + "FI_OFI_RXM_SAR_LIMIT=64K\nsrun ./model\n", [("HR921", 4)]),
    "srun that passes nothing": (
        SLURM + "export FI_OFI_RXM_SAR_LIMIT=64K\nsrun --export=NONE ./model\n",
        [("HR922", 5)],
    ),
    "srun takes NONE over from the job": (
        "#!/bin/bash\n#SBATCH --export=none\nexport HDF5_USE_FILE_LOCKING=FALSE\nsrun -n 4 ./model\n",
        [("HR922", 4)],
    ),
    "mpirun of Open MPI over ssh": (
        "#!/bin/bash\nexport GFORTRAN_FORMATTED_BUFFER_SIZE=1048576\nmodule load openmpi\n"
        "mpirun --hostfile hosts -n 64 ./model\n",
        [("HR922", 4)],
    ),
    "set when all is over": (SLURM + "srun ./model\nexport FI_OFI_RXM_SAR_LIMIT=64K\necho done\n", [("HR923", 5)]),
    "no buffers": (SLURM + "export GFORTRAN_UNBUFFERED_ALL=y\nsrun ./model\n", [("HR924", 4)]),
    "no buffers, on the line of mpirun": ("mpirun -x GFORTRAN_UNBUFFERED_ALL=1 -n 4 ./model\n", [("HR924", 1)]),
    "Intel's buffers off": (SLURM + "export FORT_BUFFERED=false\nsrun ./model\n", [("HR925", 4)]),
    "Intel's buffers with gfortran": (
        SLURM + "module load gcc/12\nexport FORT_BUFFERED=true\nsrun ./model\n",
        [("HR925", 5)],
    ),
    "striping after the program": (
        SLURM + "cd $SCRATCH/run\nsrun ./model\nlfs setstripe -c -1 $SCRATCH/run\n",
        [("HR931", 6)],
    ),
    "striping after the files were copied": (
        SLURM + "mkdir out\ncp *.nc out/\nlfs setstripe -c 8 out\ncd out\nsrun ../model\n",
        [("HR931", 6)],
    ),
    "one stripe by a hint": (
        CRAY + 'export MPICH_MPIIO_HINTS="*.h5:striping_factor=1"\nsrun ./model\n',
        [("HR932", 5)],
    ),
    "one stripe for a shared file": (
        CRAY + 'export MPICH_MPIIO_HINTS="*:cb_nodes=4"\nlfs setstripe -c 1 out\ncd out\nsrun ../model\n',
        [("HR932", 6)],
    ),
    "a file for each of 4096 MPI ranks": (
        "#!/bin/bash\n#SBATCH -N 32\nsrun -n 4096 --output=out.%t ./model\n",
        [("HR941", 3)],
    ),
    "the shell writes one for each of 2560": (
        "#!/bin/bash\n#SBATCH -n 2560\nsrun bash -c './model > rank.$SLURM_PROCID'\n",
        [("HR941", 3)],
    ),
    "tar without large blocks": (SLURM + "tar xzf input.tgz\nsrun ./model\n", [("HR951", 4)]),
    "tar with blocks that are too small": (SLURM + "tar -c -b 64 -f /work/all.tar out\n", [("HR951", 4)]),
    "cp for each file": (SLURM + "find out -name '*.dat' -exec cp {} /work/all \\;\n", [("HR952", 4)]),
    "a loop over thousands": (
        SLURM + "for i in {1..5000}; do\n  cp part.$i /work/all/\ndone\n",
        [("HR952", 5)],
    ),
    "a loop over what find lists": (
        SLURM + 'for f in $(find out -name "*.dat"); do rsync -a "$f" host:all/; done\n',
        [("HR952", 4)],
    ),
    "every MPI rank copies": (SLURM + "srun cp /work/me/table.dat /tmp/\nsrun ./m\n", [("HR953", 4)]),
    "every MPI rank reads the same file": (
        SLURM + "srun sh -c './model < /work/me/input.nml'\n",
        [("HR953", 4)],
    ),
    "output stays in /tmp": (SLURM + "cd /tmp\nsrun $HOME/bin/model\n", [("HR961", 5)]),
    "output named in /tmp": (SLURM + "srun ./model --output /tmp/result.h5\n", [("HR961", 4)]),
    "runs at home": (SLURM + "cd $HOME/run\nsrun ./model\n", [("HR962", 5)]),
    "writes at home": (SLURM + "srun ./model -o ~/result.h5\n", [("HR962", 4)]),
}

RIGHT = {
    "quotes in text": SLURM + 'echo "the “best” run: it’s here"\necho it’s done\nsrun ./model # “all”\n',
    "quotes in a here-document": SLURM + "cat > title <<EOF\nThe “title”\nEOF\nsrun ./model\n",
    "Cray's hints": CRAY
    + 'export MPICH_MPIIO_HINTS="*.nc:romio_cb_write=enable:cb_nodes=8,*:cray_cb_nodes_multiplier=4"\nsrun ./model\n',
    "a list of nodes with colons": CRAY + 'export MPICH_MPIIO_HINTS="*:cb_config_list=*:1"\nsrun ./model\n',
    "hints from a variable": CRAY + 'export MPICH_MPIIO_HINTS="*:striping_factor=${STRIPES}"\nsrun ./model\n',
    "ROMIO in Open MPI": OPEN_MPI
    + "export OMPI_MCA_io=romio341\nexport ROMIO_HINTS=hints\nprintf 'x' > hints\nmpirun ./model\n",
    "a variable of the script itself": SLURM + "UCX_DIR=/opt/ucx\nexport PATH=$UCX_DIR/bin:$PATH\nsrun ./model\n",
    "exported later": SLURM + "FI_OFI_RXM_SAR_LIMIT=64K\nexport FI_OFI_RXM_SAR_LIMIT\nsrun ./model\n",
    "all are exported": SLURM + "set -a\nFI_OFI_RXM_SAR_LIMIT=64K\nset +a\nsrun ./model\n",
    "on the line of the program": SLURM + "HDF5_USE_FILE_LOCKING=FALSE srun ./model\n",
    "srun passes all again": "#!/bin/bash\n#SBATCH --export=none\nexport SLURM_EXPORT_ENV=ALL\n"
    "export HDF5_USE_FILE_LOCKING=FALSE\nsrun -n 4 ./model\n",
    "mpirun -x": "module load openmpi\nexport UCX_TLS=rc\nmpirun --hostfile hosts -x UCX_TLS -n 64 ./model\n",
    "mpirun within Slurm": OPEN_MPI + "export UCX_TLS=rc\nmpirun -n 64 ./model\n",
    "set between two programs": SLURM + "srun ./one\nexport FI_OFI_RXM_SAR_LIMIT=64K\nsrun ./two\n",
    "set in a function that is called later": SLURM + "run() { srun ./model; }\nexport FI_OFI_RXM_SAR_LIMIT=64K\nrun\n",
    "set at the end of a loop": SLURM + "for n in 1 2; do\n srun ./model\n export FI_OFI_RXM_SAR_LIMIT=64K\ndone\n",
    "no buffers for the terminal alone": SLURM + "export GFORTRAN_UNBUFFERED_PRECONNECTED=y\nsrun ./model\n",
    "no buffers, switched off": SLURM + "export GFORTRAN_UNBUFFERED_ALL=n\nsrun ./model\n",
    "Intel's buffers": SLURM + "module load intel\nexport FORT_BUFFERED=true\nsrun ./model\n",
    "striping first": SLURM + "mkdir out\nlfs setstripe -c -1 out\ncp input.nc out/\ncd out\nsrun ../model\n",
    "one stripe for files of each MPI rank": SLURM + "lfs setstripe -c 1 out\ncd out\nsrun ../model\n",
    "a file for each of few": "#!/bin/bash\n#SBATCH -n 64\nsrun --output=out.%t ./model\n",
    "a file for each node": "#!/bin/bash\n#SBATCH -n 4096\nsrun --output=out.%N ./model\n",
    "tar with large blocks": SLURM + "tar -x -b 2048 -f in.tar\ntar cbf 4096 out.tar out\ntar tf in.tar\nsrun ./m\n",
    "tar that compresses": SLURM
    + "tar czf a.tgz out\ntar -c --zstd -f a.zst out\ntar -I pigz -cf a.gz out\ntar -caf a.xz out\nsrun ./m\n",
    "tar on the node": SLURM
    + 'tar xf in.tar -C "$TMPDIR"\ncd $LOCAL_SCRATCH\ntar xf /work/in.tar\ntar cf - x | ssh a\n',
    "a short loop": SLURM + "for f in a.nml b.nml; do cp $f /work/run; done\nfor i in $(seq 1 8); do cp x.$i y; done\n",
    "cp of all at once": SLURM + "cp out/*.dat /work/all\nfind . -name '*.o' -exec rm {} \\;\n",
    "find copies one file": SLURM + "find in -name '*orog*' -exec cp {} run/orog.nc \\;\n",
    "rsync of directories": SLURM + 'for d in $(ls -d out*); do rsync -a "$d" host:; cp -r $d /work; done\n',
    "a file of hints with places for values": SLURM
    + "cat > hints <<EOF\ncb_nodes __nodes\ncb_buffer_size {size}\nEOF\nexport ROMIO_HINTS=hints\nsrun ./m\n",
    "tar of a source at home": SLURM + "cd $HOME/src\ntar xf zlib.tar.gz\n",
    "one MPI rank a node copies": SLURM + "srun --ntasks-per-node=1 cp /work/me/table.dat /tmp/\nsrun ./m\n",
    "srun reads its own input": SLURM + "srun ./model < input.nml > model.log\n",
    "output in /tmp, copied back": SLURM + "cd /tmp/$USER\nsrun $HOME/model\ncp result.h5 $SLURM_SUBMIT_DIR\n",
    "copied back by a trap": SLURM
    + "back() { rsync -a /tmp/run/ /work/me; }\ntrap back EXIT\ncd /tmp/run\nsrun /work/me/model\n",
    "on one node at home": "#!/bin/bash\n#SBATCH -N 1\ncd $HOME/run\nsrun -n 8 ./model\n",
    "a log at home": SLURM + "cd /work/me\nsrun ./model > $HOME/model.log\n",
}


@pytest.mark.parametrize("case", PLANTED)
def test_is_found(case: str, tmp_path: Path) -> None:
    text, expected = PLANTED[case]
    assert codes(all_of(tmp_path, text)) == expected


@pytest.mark.parametrize("case", RIGHT)
def test_is_right(case: str, tmp_path: Path) -> None:
    assert all_of(tmp_path, RIGHT[case]) == []


def test_every_rule_is_planted() -> None:
    assert {code for _, expected in PLANTED.values() for code, _ in expected} == {rule.code for rule in JOB_SCRIPTS}


def test_bash_takes_the_corrected_line(tmp_path: Path) -> None:
    """The guide's line fails in bash, and what is written instead does not."""
    text, _ = PLANTED["the hint line of ARCHER2's guide"]
    (found,) = all_of(tmp_path, text)
    wrong = subprocess.run(["bash", "-n", tmp_path / "job.sh"], stderr=subprocess.DEVNULL)
    lines = text.splitlines()
    lines[found.line - 1] = found.instead
    right = subprocess.run(["bash", "-n"], input="\n".join(lines), text=True)
    assert (wrong.returncode, right.returncode) == (2, 0)


def test_the_line_for_tar_runs(tmp_path: Path) -> None:
    (tmp_path / "my out").mkdir()
    (tmp_path / "my out" / "a.dat").write_bytes(bytes(5000))
    for line in ("tar cf all.tar 'my out'", "tar --create --file=all.tar 'my out'", 'tar -cvf all.tar -C . "my out"'):
        (found,) = all_of(tmp_path, f"{SLURM}{line}\n")
        subprocess.run(["sh", "-c", found.instead], cwd=tmp_path, check=True)
        assert (tmp_path / "all.tar").stat().st_size == 2048 * 512
        (tmp_path / "all.tar").unlink()


def test_the_line_for_tar_is_that_of_the_script(tmp_path: Path) -> None:
    text = SLURM + 'all=$(dirname $out)/all.tar\ntar cf $all -C "$(dirname $out)" x >log 2>&1\n'
    (found,) = all_of(tmp_path, text)
    assert found.instead == 'tar -b 2048 -cf $all -C "$(dirname $out)" x'
    assert found.what.startswith("tar writes $(dirname $out)/all.tar in")
    (found,) = all_of(tmp_path, SLURM + "time tar cbf 64 all.tar x\n")
    assert found.instead == "time tar cbf 2048 all.tar x"


@pytest.mark.parametrize("code", ["HR902", "HR921", "HR922", "HR924", "HR951"])
def test_what_is_written_instead_has_no_finding(code: str, tmp_path: Path) -> None:
    """A line of the script, replaced by the line to paste."""
    for text, expected in PLANTED.values():
        if expected[0][0] != code or (code == "HR922" and "srun" not in text):
            continue
        (found,) = all_of(tmp_path, text)
        lines = text.splitlines()
        if code == "HR922" and not found.instead.startswith("export"):
            lines[found.line - 1] = f"{found.instead} ./model"
        elif code == "HR922":
            lines.insert(1 + lines.index("#SBATCH --export=none"), found.instead)
        elif code == "HR924" and text.startswith("mpirun"):
            continue
        else:
            lines[found.line - 1] = found.instead
        assert all_of(tmp_path, "\n".join(lines) + "\n") == []


def test_a_hint_file_beside_the_script_is_read(tmp_path: Path) -> None:
    script(tmp_path, "romio_cb_wirte enable\n", "hints")
    (found,) = all_of(tmp_path, SLURM + "export ROMIO_HINTS=hints\nsrun ./model\n")
    assert (found.code, found.path.name, found.line) == ("HR911", "hints", 1)
    assert found.instead == "romio_cb_write"


def test_without_the_table_no_name_is_judged(tmp_path: Path) -> None:
    path = script(tmp_path, CRAY + 'export MPICH_MPIIO_HINTS="*:striping_facter=8,cb_nodes=1"\nsrun ./model\n')
    assert codes(findings(path)) == [("HR913", 5)]


def test_a_comment_allows_a_finding_and_is_told_if_it_does_not_occur(tmp_path: Path) -> None:
    text = SLURM + "# headrace: allow(HR951) small archive\ntar xf in.tar\n"
    assert all_of(tmp_path, text) == []
    assert codes(all_of(tmp_path, text + "srun ./m # headrace: allow(HR941)\n")) == [("HR901", 6)]
