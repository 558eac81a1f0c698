# SPDX-License-Identifier: BSD-3-Clause

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Parcdf(CMakePackage):
    """MPI parallel I/O for netCDF classic files (CDF-1, CDF-2 and CDF-5), with the
    programming interface of PnetCDF."""

    # `homepage` and `maintainers` are for those who publish the recipe: parcdf has no public address yet.
    url = "@URL@"

    test_requires_compiler = True

    license("BSD-3-Clause")

    version("@VERSION@", sha256="@SHA256@")

    variant("pnetcdf", default=True, description="Install under PnetCDF's names, too")
    variant("fortran", default=True, description="Build the Fortran interfaces")
    variant("shared", default=True, description="Shared libraries; without: static ones")
    variant("programs", default=True, description="Build the program parcdf and its plug-ins")
    variant("formats", default=True, when="+programs", description="Read netCDF-4, HDF5 and Zarr files, write netCDF-4")
    variant("threads", default=False, description="Several threads of a rank may use one file")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.20:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3:", type="build", when="+programs")  # writes the manual pages
    depends_on("mpi@3:")
    depends_on("utf8proc")
    with when("+formats"):
        depends_on("hdf5@1.10.5:")  # with MPI or without: one specification of netcdf-c beside it decides
        depends_on("libdeflate")
        depends_on("isa-l")
        depends_on("zstd")
        depends_on("c-blosc")
        depends_on("lz4")
        depends_on("bzip2")
        depends_on("libaec")
        depends_on("curl@7.85:")

    # Both have libpnetcdf and the symbols of its interface. Spack has no virtual package for that: packages depend on
    # parallel-netcdf itself. README.md says how parcdf stands in its place.
    conflicts("^parallel-netcdf", when="+pnetcdf", msg="parcdf+pnetcdf installs libpnetcdf itself")
    requires("%fortran=gcc@12:", when="+fortran", msg="the Fortran interfaces need gfortran 12 or newer")

    def cmake_args(self):
        args = [
            self.define("BUILD_TESTING", False),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("PARCDF_DROP_IN", "pnetcdf"),
            self.define_from_variant("PARCDF_FORTRAN", "fortran"),
            self.define_from_variant("PARCDF_PROGRAMS", "programs"),
            self.define_from_variant("PARCDF_THREAD_SAFE", "threads"),
        ]
        # Just what this recipe depends on, whatever else the system has.
        if self.spec.satisfies("+formats"):
            args.append(self.define("PARCDF_FORMATS", ["codecs", "hdf5", "curl"]))
            args.append(self.define("PARCDF_CODECS", ["deflate", "isal", "zstd", "blosc", "lz4", "bzip2", "szip"]))
        else:
            args.append(self.define("PARCDF_FORMATS", "NONE"))
        return args

    @property
    def libs(self):
        name = "libpnetcdf" if self.spec.satisfies("+pnetcdf") else "libparcdf"
        return find_libraries(name, root=self.prefix, shared=self.spec.satisfies("+shared"), recursive=True)

    def setup_run_environment(self, env):
        if self.spec.satisfies("+pnetcdf"):
            env.set("PNETCDF", self.prefix)

    def test_hello(self):
        """build and run an installed example"""
        source = find(self.prefix.share, "collective_write.c", recursive=True)[0]
        mpicc = which(self.spec["mpi"].mpicc, required=True)
        library = "parcdf" if self.spec.satisfies("~pnetcdf") else "pnetcdf"
        with working_dir(self.test_suite.current_test_cache_dir, create=True):
            mpicc(
                source,
                "-o",
                "hello",
                f"-I{self.prefix.include}",
                f"-L{self.libs.directories[0]}",
                f"-Wl,-rpath,{self.libs.directories[0]}",
                f"-l{library}",
            )
            which("./hello", required=True)("hello.nc")
            if self.spec.satisfies("+programs"):
                which(self.prefix.bin.parcdf, required=True)("check", "hello.nc")
