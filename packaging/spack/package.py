"""The recipe of Spack: copy it to packages/farsight/ of a repository of recipes.

Beside it the archive of the release is needed in the folder where spack is called; scripts/release writes a copy
of this file that names the archive's digest.
"""
import os

from spack.package import *


class Farsight(CMakePackage):
    """Exploration with guarantees in finite Markov decision processes: a library in C and a command."""

    manual_download = True
    license("MIT")

    version("2.0.0", url=f"file://{os.getcwd()}/farsight-2.0.0.tar.gz")

    variant("mpi", default=False, description="Runs on many machines")
    variant("cuda", default=False, description="Runs on a GPU")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libyaml")
    depends_on("ncurses")
    depends_on("nlopt")
    depends_on("sqlite@3.26:")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12:", when="+cuda")

    def cmake_args(self):
        return [
            self.define_from_variant("FARSIGHT_MPI", "mpi"),
            self.define_from_variant("FARSIGHT_GPU", "cuda"),
            self.define("BUILD_TESTING", self.run_tests),
        ]
