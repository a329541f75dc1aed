"""The public Fortran codes that `headrace run` is measured on: packages of Debian 12, and examples with output.

Inputs are those that come with a package, or are made here of a few lines. Next: run_codes.py, which runs them.
"""

import dataclasses
import os
import shutil
import subprocess
from itertools import product
from pathlib import Path

from public_codes import LAPACK, LIMIT, Code, _elk, _water

ALONE = {"OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
SCALAPACK = "/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests"
PSEUDO = "/usr/share/espresso/pseudo/"
LATTICE = 10.2  # bohr: silicon
GRID = 72  # points along each vector, for its density


@dataclasses.dataclass(frozen=True)
class RunCode(Code):
    """A public code with an example that writes; `prepare` runs once, and each run has a copy of what it left."""

    mpi_ranks: int = 0
    leaves_out: str = ""  # files that hold times in binary: a regular expression
    varies: bytes = b"(?!)"  # its own lines with a time and no word that says so: a regular expression

    @property
    def words(self) -> list[str]:
        """The whole command."""
        launcher = ["mpirun.openmpi", "--oversubscribe", "-n", str(self.mpi_ranks)] if self.mpi_ranks else []
        return [*launcher, *self.command]


def _elk_fine(folder: Path) -> None:
    _elk(folder)
    deck = folder / "elk.in"
    deck.write_text(deck.read_text().replace("30 30 30", "60 60 60"))


def _xtb_long(folder: Path) -> None:
    """Eight water molecules, each of 10,000 steps kept; $samerand: the same velocities in every run."""
    _water(folder)
    dynamics = "$md\n   temp=298.15\n   time=10.0\n   dump=1.0\n   step=1.0\n   velo=false\n$end\n"
    (folder / "md.inp").write_text(dynamics + "$samerand\n$end\n")


def _mopac_matrices(folder: Path) -> None:
    """Orbitals, bonds and matrices of 64 water molecules, printed."""
    lines = [f"{name} {x:.3f} 1 {y:.3f} 1 {z:.3f} 1" for name, x, y, z in _water(folder, 4)]
    words = "PM7 1SCF VECTORS ALLVEC FOCK DENSITY BONDS HCORE SPIN MULLIK LARGE"
    (folder / "water.mop").write_text("\n".join([words, "64 water molecules", "", *lines, ""]))


def _calculix_plate(folder: Path, edge: int = 16) -> None:
    """A block of edge**3 brick elements, clamped and pressed; stresses of all points and all nodes as text."""
    number = {place: i + 1 for i, place in enumerate(product(range(edge + 1), repeat=3))}
    nodes = [f"{i}, {x / edge:.6f}, {y / edge:.6f}, {z / edge:.6f}" for (x, y, z), i in number.items()]
    corners = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    elements = [
        ", ".join(map(str, (i + 1, *(number[x + a, y + b, z + c] for a, b, c in corners))))
        for i, (x, y, z) in enumerate(product(range(edge), repeat=3))
    ]
    clamped = [str(i) for (x, _, _), i in number.items() if x == 0]
    pressed = [f"{i}, 3, -1.0" for (x, _, _), i in number.items() if x == edge]
    parts = [
        "*NODE, NSET=NALL", *nodes, "*ELEMENT, TYPE=C3D8, ELSET=EALL", *elements, "*NSET, NSET=FIX",
        *(f"{i}," for i in clamped), "*BOUNDARY", "FIX, 1, 3", "*MATERIAL, NAME=STEEL", "*ELASTIC", "210000., .3",
        "*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL", "*STEP", "*STATIC, SOLVER=ITERATIVE SCALING", "*CLOAD", *pressed,
        "*NODE PRINT, NSET=NALL", "U, RF", "*EL PRINT, ELSET=EALL", "S, E, ENER", "*NODE FILE", "U", "*EL FILE", "S",
        "*END STEP", "",
    ]  # fmt: skip
    (folder / "block.inp").write_text("\n".join(parts))


def _silicon(calculation: str, points: str, more: str = "") -> str:
    return (
        f"&control calculation='{calculation}', prefix='si', pseudo_dir='{PSEUDO}', outdir='./', verbosity='high' /\n"
        f"&system ibrav=2, celldm(1)={LATTICE}, nat=2, ntyp=1, ecutwfc=20.0 {more} /\n&electrons conv_thr=1d-8 /\n"
        "ATOMIC_SPECIES\n Si 28.086 Si.pz-vbc.UPF\n"
        f"ATOMIC_POSITIONS alat\n Si 0 0 0\n Si 0.25 0.25 0.25\nK_POINTS {points}\n"
    )


def _before(folder: Path, *words: str) -> None:
    """A step that comes before what is measured."""
    with (folder / f"before-{words[0]}.txt").open("wb") as said:
        subprocess.run(words, cwd=folder, check=True, stdout=said, timeout=LIMIT, env=os.environ | ALONE)


def _espresso(folder: Path) -> None:
    (folder / "scf.in").write_text(_silicon("scf", "automatic\n 4 4 4 0 0 0"))


def _espresso_density(folder: Path) -> None:
    """The density of silicon, drawn on the points of its grid."""
    (folder / "scf.in").write_text(_silicon("scf", "automatic\n 2 2 2 0 0 0", f", nr1={GRID}, nr2={GRID}, nr3={GRID}"))
    _before(folder, "pw.x", "-in", "scf.in")
    (folder / "pp.in").write_text(
        "&inputpp prefix='si', outdir='./', filplot='si.rho', plot_num=0 /\n"
        "&plot iflag=3, output_format=5, fileout='si.xsf' /\n"
    )


def _wannier(folder: Path) -> None:
    """Wannier functions of silicon, as in the tutorial: drawn, with bands and the Hamiltonian as text."""
    _espresso(folder)
    points = [tuple(i / 4 for i in place) for place in product(range(4), repeat=3)]
    listed = [" ".join(f"{x:.8f}" for x in point) for point in points]
    weighted = "".join(f"{point} {1 / 64:.8f}\n" for point in listed)
    (folder / "nscf.in").write_text(
        _silicon("nscf", f"crystal\n64\n{weighted}", ", nbnd=4, nosym=.true., noinv=.true.")
    )
    half = LATTICE / 2
    bonds = ("0.125,0.125,0.125", "0.125,0.125,-0.375", "-0.375,0.125,0.125", "0.125,-0.375,0.125")
    parts = [
        "num_wann=4", "num_iter=100", "write_hr=true", "write_xyz=true", "bands_plot=true", "bands_num_points=400",
        "wannier_plot=true", "wannier_plot_supercell=3", "mp_grid=4 4 4",
        "begin kpoint_path", "L 0.5 0.5 0.5 G 0 0 0", "G 0 0 0 X 0.5 0 0.5", "end kpoint_path",
        "begin projections", *(f"f={bond}:s" for bond in bonds), "end projections",
        "begin unit_cell_cart", "bohr", f"{-half} 0 {half}", f"0 {half} {half}", f"{-half} {half} 0",
        "end unit_cell_cart", "begin atoms_frac", "Si 0 0 0", "Si 0.25 0.25 0.25", "end atoms_frac",
        "begin kpoints", *listed, "end kpoints", "",
    ]  # fmt: skip
    (folder / "si.win").write_text("\n".join(parts))
    (folder / "pw2wan.in").write_text("&inputpp outdir='./', prefix='si', seedname='si', write_unk=.true. /\n")
    _before(folder, "pw.x", "-in", "scf.in")
    _before(folder, "pw.x", "-in", "nscf.in")
    _before(folder, "wannier90.x", "-pp", "si")
    _before(folder, "pw2wannier90.x", "-in", "pw2wan.in")


ARGON = """&GLOBAL
  PROJECT argon
  RUN_TYPE MD
  PRINT_LEVEL LOW
&END
&MOTION
  &MD
    ENSEMBLE NVE
    STEPS 2000
    TIMESTEP 5.0
    TEMPERATURE 85.0
    &PRINT
      &ENERGY OFF
      &END
    &END
  &END
  &PRINT
    &TRAJECTORY
      &EACH
        MD 1
      &END
    &END
    &VELOCITIES
      &EACH
        MD 1
      &END
    &END
    &FORCES
      &EACH
        MD 1
      &END
    &END
    &RESTART OFF
    &END
    &RESTART_HISTORY OFF
    &END
  &END
&END
&FORCE_EVAL
  METHOD FIST
  &MM
    &FORCEFIELD
      &CHARGE
        ATOM Ar
        CHARGE 0.0
      &END
      &NONBONDED
        &LENNARD-JONES
          ATOMS Ar Ar
          EPSILON 119.8
          SIGMA 3.405
          RCUT 8.4
        &END
      &END
    &END
    &POISSON
      &EWALD
        EWALD_TYPE NONE
      &END
    &END
  &END
  &SUBSYS
    &CELL
      ABC 32.4 32.4 32.4
    &END
    &COORD
"""


def _argon(folder: Path) -> None:
    """Atoms of argon on a lattice, each a little beside its place; every step is kept."""
    atoms = []
    for i, j, k in product(range(6), repeat=3):
        place = [5.4 * n + 0.01 * ((7 * n + 3 * i + 5 * j + k) % 9) for n in (i, j, k)]
        atoms.append("      Ar " + " ".join(f"{x:.5f}" for x in place))
    (folder / "argon.inp").write_text(ARGON + "\n".join([*atoms, "    &END", "  &END", "&END", ""]))


def _water_density(folder: Path) -> None:
    """Hartree-Fock, and the density on 100 points along each axis."""
    atoms = "O 0.0 0.0 0.1173\n H 0.0 0.7572 -0.4692\n H 0.0 -0.7572 -0.4692"
    box = "\n".join([" -4.0 4.0 99"] * 3)
    (folder / "water.nw").write_text(
        f"start water\ngeometry units angstrom noautosym\n {atoms}\nend\nbasis\n * library 6-31g*\nend\n"
        "scf\n singlet\nend\ntask scf\n"
        f"dplot\n limitxyz\n{box}\n spin total\n gaussian\n output density.cube\nend\ntask dplot\n"
    )


def _abinit(folder: Path) -> None:
    (folder / "si.abi").write_text(
        'pp_dirpath "/usr/share/abinit/psp"\npseudos "PseudosTM_pwteter/14si.pspnc"\necut 12\nacell 3*10.217\n'
        "rprim 0.0 0.5 0.5 0.5 0.0 0.5 0.5 0.5 0.0\nntypat 1\nznucl 14\nnatom 2\ntypat 1 1\n"
        "xred 0.0 0.0 0.0 0.25 0.25 0.25\nkptopt 1\nngkpt 4 4 4\nnshiftk 1\nshiftk 0 0 0\nnstep 15\ntoldfe 1.0d-8\n"
        "prtvol 10\nprtgeo 10\n"
    )


def _scalapack(folder: Path) -> None:
    """The input of its own test of LU."""
    shutil.copy(f"{SCALAPACK}/LU.dat", folder / "LU.dat")


CODES = (
    RunCode(
        "CalculiX",
        ("calculix-ccx=2.20-1",),
        "finite elements: a block of 4,096 bricks, stresses as text",
        _calculix_plate,
        ("ccx", "block"),
    ),
    RunCode(
        "Elk",
        ("elk-lapw=8.4.30-1",),
        "electrons in solids: aluminium, density on a grid",
        _elk_fine,
        ("elk-lapw",),
        varies=rb"^ +[A-Za-z][A-Za-z -]+ : +\d+\.\d\d$",
    ),
    RunCode(
        "xtb",
        ("xtb=6.5.1-3",),
        "quantum chemistry: molecular dynamics of water, 10,000 frames",
        _xtb_long,
        ("xtb", "water.xyz", "--gfnff", "--input", "md.inp", "--md"),
    ),
    RunCode(
        "MOPAC",
        ("mopac=22.0.6+dfsg-1+b1",),
        "semi-empirical chemistry: orbitals and matrices of 64 water molecules",
        _mopac_matrices,
        ("mopac", "water.mop"),
    ),
    RunCode(
        "CP2K",
        ("cp2k=2023.1-2",),
        "molecular dynamics of 216 argon atoms, 2,000 steps",
        _argon,
        ("cp2k.popt", "argon.inp"),
    ),
    RunCode(
        "NWChem",
        ("nwchem-openmpi=7.0.2-4", "nwchem-data=7.0.2-4"),
        "quantum chemistry: density of water on 1,000,000 points",
        _water_density,
        ("nwchem.openmpi", "water.nw"),
    ),
    RunCode(
        "Quantum ESPRESSO pp.x",
        ("quantum-espresso=6.7-2+b1", "quantum-espresso-data=6.7-2"),
        "electrons in solids: density of silicon on 373,248 points",
        _espresso_density,
        ("pp.x", "-in", "pp.in"),
    ),
    RunCode(
        "Wannier90",
        ("wannier90=3.1.0+ds-7", "quantum-espresso=6.7-2+b1", "quantum-espresso-data=6.7-2"),
        "Wannier functions of silicon, drawn as text",
        _wannier,
        ("wannier90.x", "si"),
        varies=rb"^ \|\w+: ",
    ),
    RunCode(
        "LAPACK",
        ("liblapack-test=3.11.0-2",),
        "its own test of singular values: hardly any output",
        lambda folder: None,
        (f"{LAPACK}/xeigtstd",),
        f"{LAPACK}/svd.in",
    ),
    RunCode(
        "Quantum ESPRESSO pw.x",
        ("quantum-espresso=6.7-2+b1", "quantum-espresso-data=6.7-2"),
        "electrons in solids: silicon, 4 MPI ranks",
        _espresso,
        ("pw.x", "-in", "scf.in"),
        mpi_ranks=4,
    ),
    RunCode(
        "ABINIT",
        ("abinit=9.6.2-1", "abinit-data=9.6.2-1"),
        "electrons in solids: silicon, 4 MPI ranks",
        _abinit,
        ("abinit", "si.abi"),
        mpi_ranks=4,
        leaves_out=r".*\.nc",
    ),
    RunCode(
        "ScaLAPACK",
        ("scalapack-mpi-test=2.2.1-2+b1",),
        "its own test of LU, 4 MPI ranks",
        _scalapack,
        (f"{SCALAPACK}/xdlu",),
        mpi_ranks=4,
    ),
)
