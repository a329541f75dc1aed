# What headrace_mpi builds on. MPI is needed; each library of a format is optional and must be built
# on the same MPI. Makes headrace_mpi_library_<zarr|hdf5|netcdf|pnetcdf|adios2> if they are found, and
# sets headrace_mpi_absent_<...> to why not.
find_package(MPI REQUIRED COMPONENTS CXX)
find_package(PkgConfig QUIET)
# The Fortran wrapper of the same MPI, for programs that use its modules.
if(NOT MPI_Fortran_COMPILER)
  string(REPLACE "mpicxx" "mpifort" fortran_wrapper "${MPI_CXX_COMPILER}")
  if(NOT fortran_wrapper STREQUAL MPI_CXX_COMPILER AND EXISTS "${fortran_wrapper}")
    set(MPI_Fortran_COMPILER "${fortran_wrapper}" CACHE FILEPATH "MPI compiler for Fortran")
  endif()
endif()
include(CheckCXXSourceCompiles)

# "openmpi" or "mpich": Debian names packages after them, and libraries of one cannot serve the other.
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
check_cxx_source_compiles("#include <mpi.h>
#ifndef OPEN_MPI
#error not Open MPI
#endif
int main() {}" HEADRACE_MPI_IS_OPEN_MPI)
unset(CMAKE_REQUIRED_LIBRARIES)
if(HEADRACE_MPI_IS_OPEN_MPI)
  set(headrace_mpi_flavour openmpi)
else()
  set(headrace_mpi_flavour mpich)
endif()

# headrace_check_library(<name> <headers, a CMake list> <expression> <what to install>): a program with
# the library must compile, link and need no other MPI than ours.
function(headrace_check_library name headers expression advice)
  set(target headrace_mpi_library_${name})
  set(code "")
  foreach(header IN LISTS headers)
    string(APPEND code "#include <${header}>\n")
  endforeach()
  set(CMAKE_REQUIRED_LIBRARIES ${target} MPI::MPI_CXX)
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles("#include <mpi.h>\n${code}int main() { ${expression}; return 0; }"
    HEADRACE_MPI_HAS_${name})
  if(NOT HEADRACE_MPI_HAS_${name})
    set(headrace_mpi_absent_${name} "built without ${advice}" PARENT_SCOPE)
    message(STATUS "headrace_mpi without ${advice}")
  else()
    string(TOUPPER "${name}" prefix)
    if(${prefix}_DIR) # where programs will look for its shared libraries too
      set(where " (${${prefix}_DIR})")
    endif()
    message(STATUS "headrace_mpi with ${name}${where}")
  endif()
endfunction()

# headrace_need_same_mpi(<name> <library file>): a library that loads another MPI is of no use here.
function(headrace_need_same_mpi name file)
  get_filename_component(real "${file}" REALPATH)
  execute_process(COMMAND ldd "${real}" OUTPUT_VARIABLE needed ERROR_QUIET)
  set(ours "")
  foreach(library IN LISTS MPI_CXX_LIBRARIES)
    get_filename_component(library "${library}" REALPATH)
    list(APPEND ours "${library}")
  endforeach()
  string(REGEX MATCHALL "libmpi(ch)?\\.so[.0-9]* => [^ \n]+" loads "${needed}")
  foreach(load IN LISTS loads)
    string(REGEX REPLACE ".* => " "" load "${load}")
    get_filename_component(load "${load}" REALPATH)
    if(NOT load IN_LIST ours)
      set(HEADRACE_MPI_HAS_${name} OFF CACHE INTERNAL "")
    endif()
  endforeach()
endfunction()

# headrace_link_package(<name> <prefix of pkg_check_modules>): by its .pc file, but for directories that are
# not there: Debian 13's pnetcdf.pc names those of the machine that built it, and CMake refuses them.
function(headrace_link_package name prefix)
  set(there "")
  foreach(directory IN LISTS ${prefix}_INCLUDE_DIRS)
    if(IS_DIRECTORY "${directory}")
      list(APPEND there "${directory}")
    endif()
  endforeach()
  set_target_properties(PkgConfig::${prefix} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${there}")
  target_link_libraries(headrace_mpi_library_${name} INTERFACE PkgConfig::${prefix})
endfunction()

foreach(name zarr hdf5 netcdf pnetcdf adios2)
  if(NOT TARGET headrace_mpi_library_${name})
    add_library(headrace_mpi_library_${name} INTERFACE IMPORTED)
  endif()
  # Who was told that a library is missing installs it and configures again.
  if(NOT HEADRACE_MPI_HAS_${name})
    unset(HEADRACE_MPI_HAS_${name} CACHE)
  endif()
endforeach()

# Zarr's documents are JSON, by RapidJSON, which is headers only: programs need it no more.
find_package(RapidJSON QUIET)
find_path(HEADRACE_RAPIDJSON_INCLUDE rapidjson/reader.h
  HINTS ${RapidJSON_INCLUDE_DIRS} ${RAPIDJSON_INCLUDE_DIRS} ${RapidJSON_INCLUDE_DIR})
mark_as_advanced(HEADRACE_RAPIDJSON_INCLUDE)
if(HEADRACE_RAPIDJSON_INCLUDE)
  target_include_directories(headrace_mpi_library_zarr SYSTEM INTERFACE "${HEADRACE_RAPIDJSON_INCLUDE}")
endif()
headrace_check_library(zarr "rapidjson/reader.h" "rapidjson::Reader reader" "RapidJSON (Debian: rapidjson-dev)")

# HDF5: Debian has one for each MPI; elsewhere HDF5_ROOT or a module names the parallel one.
if(PKG_CONFIG_FOUND)
  pkg_check_modules(HEADRACE_HDF5 QUIET IMPORTED_TARGET hdf5-${headrace_mpi_flavour})
endif()
if(HEADRACE_HDF5_FOUND)
  headrace_link_package(hdf5 HEADRACE_HDF5)
else()
  set(HDF5_PREFER_PARALLEL ON)
  find_package(HDF5 QUIET COMPONENTS C)
  if(HDF5_FOUND)
    target_include_directories(headrace_mpi_library_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
    target_link_libraries(headrace_mpi_library_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
  endif()
endif()
headrace_check_library(hdf5 "hdf5.h" "H5Pset_fapl_mpio(0, MPI_COMM_WORLD, MPI_INFO_NULL)"
  "parallel HDF5 (Debian: libhdf5-${headrace_mpi_flavour}-dev, elsewhere set HDF5_ROOT)")

# NetCDF-4 whose HDF5 is parallel. Debian builds it on Open MPI only.
if(PKG_CONFIG_FOUND)
  pkg_check_modules(HEADRACE_NETCDF QUIET IMPORTED_TARGET netcdf-mpi)
  if(NOT HEADRACE_NETCDF_FOUND)
    pkg_check_modules(HEADRACE_NETCDF QUIET IMPORTED_TARGET netcdf)
  endif()
endif()
if(HEADRACE_NETCDF_FOUND)
  headrace_link_package(netcdf HEADRACE_NETCDF)
  # Debian's netcdf-mpi.pc names /usr/include, where its headers are not.
  find_path(HEADRACE_NETCDF_INCLUDE netcdf_par.h
    HINTS "${HEADRACE_NETCDF_PREFIX}/include" ${HEADRACE_NETCDF_INCLUDE_DIRS} NO_CACHE)
  if(HEADRACE_NETCDF_INCLUDE)
    target_include_directories(headrace_mpi_library_netcdf INTERFACE "${HEADRACE_NETCDF_INCLUDE}")
  endif()
  foreach(library IN LISTS HEADRACE_NETCDF_LINK_LIBRARIES)
    headrace_need_same_mpi(netcdf "${library}")
  endforeach()
endif()
headrace_check_library(netcdf "netcdf.h;netcdf_par.h"
  "int id; nc_create_par(\"\", 0, MPI_COMM_WORLD, MPI_INFO_NULL, &id)"
  "parallel NetCDF on this MPI (Debian: libnetcdf-mpi-dev, for Open MPI)")
# Which of its writes reach the disk, and how, is settled by calls of the HDF5 beneath it.
if(HEADRACE_MPI_HAS_netcdf AND NOT HEADRACE_MPI_HAS_hdf5)
  set(HEADRACE_MPI_HAS_netcdf OFF)
  set(headrace_mpi_absent_netcdf "${headrace_mpi_absent_hdf5}, which NetCDF-4 needs")
endif()

if(PKG_CONFIG_FOUND)
  pkg_check_modules(HEADRACE_PNETCDF QUIET IMPORTED_TARGET pnetcdf)
endif()
if(HEADRACE_PNETCDF_FOUND)
  headrace_link_package(pnetcdf HEADRACE_PNETCDF)
  foreach(library IN LISTS HEADRACE_PNETCDF_LINK_LIBRARIES)
    headrace_need_same_mpi(pnetcdf "${library}")
  endforeach()
endif()
headrace_check_library(pnetcdf "pnetcdf.h"
  "int id; ncmpi_create(MPI_COMM_WORLD, \"\", 0, MPI_INFO_NULL, &id)"
  "PnetCDF on this MPI (Debian: libpnetcdf-dev, for Open MPI)")

# ADIOS2 with MPI: PyPI's source distribution, spack or a module; setup/adios2.sh builds it here.
set(headrace_cache "$ENV{HEADRACE_CACHE}")
if(NOT headrace_cache)
  set(headrace_cache "$ENV{HOME}/.cache/headrace")
endif()
if(NOT TARGET MPI::MPI_C) # its targets name it; the languages of this project are others
  add_library(MPI::MPI_C INTERFACE IMPORTED)
  target_link_libraries(MPI::MPI_C INTERFACE MPI::MPI_CXX)
endif()
find_package(ADIOS2 QUIET COMPONENTS C CXX MPI
  HINTS "${headrace_mpi_adios2}" "${headrace_cache}/adios2-${headrace_mpi_flavour}")
foreach(target cxx cxx11) # its name since ADIOS2 2.12, and before
  if(TARGET adios2::${target}_mpi AND TARGET adios2::c_mpi)
    # Programs that link statically name also the library below, whose functions headrace calls.
    target_link_libraries(headrace_mpi_library_adios2
      INTERFACE adios2::${target}_mpi adios2::${target} adios2::c_mpi)
    get_target_property(adios2_file adios2::c_mpi LOCATION)
    headrace_need_same_mpi(adios2 "${adios2_file}")
    break()
  endif()
endforeach()
set(headrace_adios2_advice "set ADIOS2_ROOT to one that was built with this MPI")
if(HEADRACE_MPI_IS_OPEN_MPI)
  set(headrace_adios2_advice "setup/adios2.sh builds it from PyPI, elsewhere set ADIOS2_ROOT")
endif()
headrace_check_library(adios2 "adios2.h;adios2_c.h" "adios2::ADIOS library(MPI_COMM_WORLD)"
  "ADIOS2 with MPI (${headrace_adios2_advice})")
