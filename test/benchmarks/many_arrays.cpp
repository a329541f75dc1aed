// Many small arrays in one dataset, as a model with hundreds of fields writes them: headrace's
// formats against what programs do without a parallel library, MPI rank 0 gathering each array and
// writing it by HDF5's own calls, and against ADIOS2's own calls. HDF5 itself writes once with the
// names of dimensions that headrace's files have, and once without. "Zarr's files" are what a file
// system takes for a Zarr store: MPI rank 0 gathers each array and makes its folder, its chunk and
// a document of the usual length by system calls alone.
//
//     mpirun -n 8 headrace_bench_many_arrays [arrays [bytes of each array [rounds [ways]]]]
//
// The files are written in the current directory, and are new in every round; they are removed at
// the end, because ext4 makes files slowly for seconds after many were removed. The least of the
// rounds counts; they are interleaved. many_arrays_h5py.py is h5py from one process. Beside the
// time is the processor time of MPI rank 0, and that of all MPI ranks together, which share the
// processors if there are fewer of them; other programs on the machine change both less.
#ifdef HEADRACE_HAS_ADIOS2
#include <adios2.h>
#endif
#include <fcntl.h>
#include <hdf5.h>
#include <mpi.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "headrace_mpi.h"

namespace {

struct job {
  int arrays = 1000;
  int elements = 128;  // of an MPI rank
  int rank = 0;
  int ranks = 1;
  std::vector<double> values{};
};

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "many_arrays: %s\n", what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

std::string name_of(int number) {
  return "array" + std::to_string(number);
}

void by_headrace(const job& all, const std::string& file) {
  hr_array array{};
  array.base = const_cast<double*>(all.values.data());
  array.elem_len = sizeof(double);
  array.type = HR_TYPE_REAL;
  array.array_rank = 1;
  array.extent[0] = all.elements;
  array.stride[0] = sizeof(double);
  const long long global = static_cast<long long>(all.elements) * all.ranks;
  const long long start = static_cast<long long>(all.elements) * all.rank + 1;
  const long long count = all.elements;
  hr_layout layout = 0;
  hr_error error{};
  hr_dataset opened = 0;
  if (hr_make_layout(&layout, MPI_COMM_WORLD, 1, &global, &start, &count, &error) != 0)
    give_up(error.message);
  if (hr_open_dataset(&opened, file.c_str(), MPI_COMM_WORLD, "write", nullptr, &error) != 0)
    give_up(error.message);
  for (int i = 0; i < all.arrays; ++i)
    if (hr_write_dataset_array(opened, name_of(i).c_str(), &array, layout, "x", nullptr, &error) !=
        0)
      give_up(error.message);
  if (hr_close_dataset(&opened, &error) != 0) give_up(error.message);
  hr_free_layout(&layout, nullptr);
}

// The dimension x of all arrays, as netCDF-4, xarray and h5py know it.
class named_dimension {
 public:
  void create(hid_t file, hid_t space) {
    scale_ = H5Dcreate2(file, "x", H5T_IEEE_F32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    put_text("CLASS", "DIMENSION_SCALE");
    put_text("NAME", "This is a netCDF dimension but not a netCDF variable.");
    if (H5Rcreate(&reference_, scale_, ".", H5R_OBJECT, -1) < 0) give_up("HDF5 has no reference");
  }
  void give_to(hid_t set) {
    const hsize_t one = 1;
    const hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ);
    const hid_t space = H5Screate_simple(1, &one, nullptr);
    const hid_t list = H5Acreate2(set, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const hvl_t value{1, &reference_};
    users_.push_back({0, 0});
    if (H5Awrite(list, type, &value) < 0 ||
        H5Rcreate(&users_.back().dataset, set, ".", H5R_OBJECT, -1) < 0)
      give_up("HDF5 cannot name a dimension");
    H5Aclose(list);
    H5Sclose(space);
    H5Tclose(type);
  }
  void close() {
    const hsize_t count = users_.size();
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(user));
    H5Tinsert(type, "dataset", HOFFSET(user, dataset), H5T_STD_REF_OBJ);
    H5Tinsert(type, "dimension", HOFFSET(user, dimension), H5T_NATIVE_UINT);
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t list = H5Acreate2(scale_, "REFERENCE_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Awrite(list, type, users_.data()) < 0) give_up("HDF5 cannot list the arrays");
    H5Aclose(list);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(scale_);
  }

 private:
  struct user {
    hobj_ref_t dataset;
    unsigned dimension;
  };

  void put_text(const char* name, const std::string& text) const {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, text.size() + 1);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(scale_, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Awrite(attribute, type, text.c_str()) < 0) give_up("HDF5 cannot write an attribute");
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  }

  hid_t scale_ = -1;
  hobj_ref_t reference_ = 0;
  std::vector<user> users_;
};

// has_names: as headrace's files. Otherwise with HDF5's defaults.
void by_one_rank(const job& all, const std::string& file, bool has_names) {
  const hsize_t global = static_cast<hsize_t>(all.elements) * static_cast<hsize_t>(all.ranks);
  std::vector<double> whole(all.rank == 0 ? global : 0);
  hid_t opened = -1;
  hid_t space = -1;
  named_dimension dimension;
  if (all.rank == 0) {
    opened = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    space = H5Screate_simple(1, &global, nullptr);
    if (opened < 0 || space < 0) give_up("HDF5 cannot create " + file);
    if (has_names) dimension.create(opened, space);
  }
  for (int i = 0; i < all.arrays; ++i) {
    MPI_Gather(all.values.data(), all.elements, MPI_DOUBLE, whole.data(), all.elements, MPI_DOUBLE,
               0, MPI_COMM_WORLD);
    if (all.rank != 0) continue;
    const hid_t set = H5Dcreate2(opened, name_of(i).c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0 && has_names) dimension.give_to(set);
    if (set < 0 ||
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, whole.data()) < 0 ||
        H5Dclose(set) < 0)
      give_up("HDF5 cannot write " + file);
  }
  if (all.rank == 0 && has_names) dimension.close();
  if (all.rank == 0 && (H5Sclose(space) < 0 || H5Fclose(opened) < 0))
    give_up("HDF5 cannot close " + file);
}

void make_file(const std::string& path, const void* bytes, std::size_t size) {
  const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (made < 0 || ::write(made, bytes, size) != static_cast<ssize_t>(size) || ::close(made) != 0)
    give_up("cannot write " + path);
}

void by_files(const job& all, const std::string& store) {
  constexpr std::size_t usual_document = 480;  // bytes
  const std::string document(usual_document, ' ');
  std::vector<double> whole(static_cast<std::size_t>(all.elements) *
                            static_cast<std::size_t>(all.rank == 0 ? all.ranks : 0));
  if (all.rank == 0) ::mkdir(store.c_str(), 0777);
  for (int i = 0; i < all.arrays; ++i) {
    MPI_Gather(all.values.data(), all.elements, MPI_DOUBLE, whole.data(), all.elements, MPI_DOUBLE,
               0, MPI_COMM_WORLD);
    if (all.rank != 0) continue;
    const std::string folder = store + "/" + name_of(i);
    if (::mkdir(folder.c_str(), 0777) != 0) give_up("cannot make " + folder);
    make_file(folder + "/c.0", whole.data(), whole.size() * sizeof(double));
    make_file(folder + "/zarr.json", document.data(), document.size());
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// The library's defaults, and all arrays in one step.
void by_adios2([[maybe_unused]] const job& all, [[maybe_unused]] const std::string& file) {
#ifdef HEADRACE_HAS_ADIOS2
  adios2::ADIOS library(MPI_COMM_WORLD);
  adios2::IO io = library.DeclareIO("many");
  adios2::Engine engine = io.Open(file, adios2::Mode::Write);
  const auto elements = static_cast<std::size_t>(all.elements);
  engine.BeginStep();
  for (int i = 0; i < all.arrays; ++i) {
    auto variable = io.DefineVariable<double>(
        name_of(i), {elements * static_cast<std::size_t>(all.ranks)},
        {elements * static_cast<std::size_t>(all.rank)}, {elements}, adios2::ConstantDims);
    engine.Put(variable, all.values.data());
  }
  engine.EndStep();
  engine.Close();
#endif
}

const char* const plain_peer = "HDF5 by one";
const char* const named_peer = "with dimensions";
const char* const files_peer = "Zarr's files";
const char* const adios2_peer = "ADIOS2 itself";

bool is_peer(const std::string& name) {
  return name == plain_peer || name == named_peer || name == files_peer || name == adios2_peer;
}

struct way {
  std::string name;
  std::string file;
  double least = 1e30;
  double processor = 1e30;  // of this MPI rank
  double all_processors = 1e30;
};

std::string file_of(const way& by, int round) {
  return "many" + std::to_string(round) + "_" + by.file;
}

double processor_time() {
  struct timespec now {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void run(const job& all, way& by, int round) {
  const std::string file = file_of(by, round);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  const double busy = processor_time();
  if (by.name == plain_peer || by.name == named_peer)
    by_one_rank(all, file, by.name == named_peer);
  else if (by.name == files_peer)
    by_files(all, file);
  else if (by.name == adios2_peer)
    by_adios2(all, file);
  else
    by_headrace(all, file);
  double took = MPI_Wtime() - begin;
  double worked = processor_time() - busy;
  by.processor = std::min(by.processor, worked);
  MPI_Allreduce(MPI_IN_PLACE, &worked, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  by.all_processors = std::min(by.all_processors, worked);
  MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  by.least = std::min(by.least, took);
}

// Each against each peer: more than 1 is sooner than the peer.
void print(const job& all, const std::vector<way>& ways) {
  std::printf("%d arrays of %d bytes on %d MPI ranks; time of the peer / time of this\n",
              all.arrays, all.elements * all.ranks * static_cast<int>(sizeof(double)), all.ranks);
  std::printf("%-16s %9s %14s %11s", "", "us/array", "rank 0 busy us", "all busy us");
  std::vector<const way*> peers;
  for (const way& by : ways)
    if (is_peer(by.name)) peers.push_back(&by);
  for (const way* peer : peers) std::printf("  %15s", peer->name.c_str());
  std::printf("\n");
  for (const way& by : ways) {
    std::printf("%-16s %9.1f %14.1f %11.1f", by.name.c_str(), 1e6 * by.least / all.arrays,
                1e6 * by.processor / all.arrays, 1e6 * by.all_processors / all.arrays);
    for (const way* peer : peers) std::printf("  %15.2f", peer->least / by.least);
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  job all;
  MPI_Comm_rank(MPI_COMM_WORLD, &all.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &all.ranks);
  const auto number = [&](int place, int otherwise) {
    return argc > place ? std::max(1, std::atoi(argv[place])) : otherwise;
  };
  all.arrays = number(1, 1000);
  const int bytes = number(2, 8192);
  all.elements = std::max(1, bytes / static_cast<int>(sizeof(double)) / all.ranks);
  const int rounds = number(3, 3);
  all.values.assign(static_cast<std::size_t>(all.elements), 1.0 + all.rank);
  std::vector<way> ways{{plain_peer, "peer.h5"}, {named_peer, "named.h5"}, {files_peer, "files"}};
  for (const auto& [format, ending] : {std::pair{"hdf5", ".h5"}, std::pair{"zarr", ".zarr"},
                                       std::pair{"netcdf4", ".nc"}, std::pair{"adios2", ".bp"}})
    if (hr_parallel_unavailable(format) == nullptr)
      ways.push_back({format, std::string(format) + ending});
#ifdef HEADRACE_HAS_ADIOS2
  ways.push_back({adios2_peer, "peer.bp"});
#endif
  const std::string wanted = argc > 4 ? argv[4] : "";
  const auto is_left_out = [&](const way& by) {
    return !wanted.empty() && ("," + wanted + ",").find("," + by.name + ",") == std::string::npos;
  };
  ways.erase(std::remove_if(ways.begin(), ways.end(), is_left_out), ways.end());
  for (int round = 0; round < rounds; ++round)
    for (way& by : ways) run(all, by, round);
  if (all.rank == 0) {
    print(all, ways);
    std::error_code ignored;
    for (int round = 0; round < rounds; ++round)
      for (const way& by : ways) std::filesystem::remove_all(file_of(by, round), ignored);
  }
  MPI_Finalize();
  return 0;
}
