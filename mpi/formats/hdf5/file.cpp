#include "file.hpp"

#include "../../dataset/described.hpp"
#include "../../disk/library_files.hpp"
#include "handle.hpp"
#include "memory.hpp"

namespace headrace::hdf5 {
namespace {

// Arrays of that size begin at such an offset, so that no two MPI ranks write to one stripe.
// Without stripes they begin where HDF5 likes, in the middle of a page as a rule: processors copy
// from the first byte of a page to byte 16 of another one, where allocated arrays begin, at 0.83
// (AMD EPYC) to 0.95 (Intel Xeon) of the speed.
constexpr hsize_t large_object = hsize_t{4} << 20;
constexpr hsize_t stripe_alignment = hsize_t{1} << 20;

// Without an index of the order, which costs time for each array: readers sort.
constexpr unsigned in_order = H5P_CRT_ORDER_TRACKED;

// Another driver than MPI-IO would make a file of its own on each MPI rank.
status choose_driver(hid_t access, const communicator* comm, const hint_list& hints) {
  const bool by_mpi = comm != nullptr;
  const info_of_hints info = by_mpi ? info_of_hints::for_hdf5(hints) : info_of_hints(hint_list());
  return agreed(comm, [&] {
    const herr_t chosen =
        by_mpi ? H5Pset_fapl_mpio(access, comm->handle(), info.get()) : H5Pset_fapl_sec2(access);
    return chosen >= 0 ? status() : library_failure("cannot choose HDF5's driver");
  });
}

// more(access): sets what else the file needs. Not H5Pset_coll_metadata_write(): HDF5 then passes
// what lies before and behind the elements of arrays in one collective call, and ROMIO, when hints
// make it collect or sieve, writes all in between too, as its buffer was before.
template <class More>
status make_access(const communicator* comm, const hint_list& hints, handle& access, More more) {
  status made = agreed(comm, [&] {
    access = owned_properties(H5Pcreate(H5P_FILE_ACCESS));
    const bool done =
        access && H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG) >= 0 && more(access.get());
    return done ? status() : library_failure("cannot prepare the access to a file");
  });
  return made.ok() ? choose_driver(access.get(), comm, hints) : made;
}

// If they differ between MPI ranks, so do the places at which each thinks that an array lies.
bool prepare_new_file(hid_t access, bool alone, bool is_local) {
  if (!is_local && H5Pset_alignment(access, large_object, stripe_alignment) < 0) return false;
  // What HDF5 held back it would write when it closes the file, where it crashes on a full disk.
  if (alone && (H5Pset_sieve_buf_size(access, 0) < 0 || H5Pset_cache(access, 0, 0, 0, 0.0) < 0))
    return false;
  // Old enough for HDF5 1.8, new enough for attributes beyond 64 KiB. The upper bound is that of
  // the message on how space is used, which older versions pass by.
  return H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110) >= 0;
}

// The program may have the file open already, and HDF5 wants the same degree of all then.
handle open_to_read(const std::string& file, const handle& access) {
  handle opened;
  for (const auto degree : {H5F_CLOSE_STRONG, H5F_CLOSE_DEFAULT, H5F_CLOSE_SEMI, H5F_CLOSE_WEAK}) {
    if (H5Pset_fclose_degree(access.get(), degree) < 0) break;
    opened = owned_file(H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.get()));
    if (opened) break;
  }
  return opened;
}

}  // namespace

status path_of(const std::string& name, std::string& path) {
  path.clear();
  std::string part;
  for (std::size_t at = 0; at <= name.size(); ++at) {
    if (at < name.size() && name[at] != '/') {
      part += name[at];
      continue;
    }
    if (part == "." || part == "..") break;
    if (!part.empty()) path += (path.empty() ? "" : "/") + part;
    part.clear();
  }
  if (!path.empty() && part.empty()) return {};
  return status::failure(stat_code::argument_invalid,
                         "\"" + name + "\" cannot be the name of an array in an HDF5 file")
      .advise("name it \"rho\" or, within groups, \"group/rho\"");
}

std::string leaf_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string group_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

status plan_groups(handle& creation) {
  creation = owned_properties(H5Pcreate(H5P_GROUP_CREATE));
  if (creation && H5Pset_link_creation_order(creation.get(), in_order) >= 0) return {};
  return library_failure("cannot prepare a group");
}

status make_groups(hid_t file, const std::string& path, hid_t creation) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string group = path.substr(0, slash);
    const htri_t is_there = H5Lexists(file, group.c_str(), H5P_DEFAULT);
    if (is_there < 0) return library_failure("cannot look for the group \"" + group + "\"");
    if (is_there > 0) {
      H5O_info_t info;
      if (H5Oget_info_by_name2(file, group.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
        return library_failure("cannot look at the group \"" + group + "\"");
      if (info.type == H5O_TYPE_GROUP) continue;
      return status::failure(stat_code::argument_invalid,
                             "\"" + group + "\" is an array, so it cannot hold \"" + path + "\"")
          .advise("choose another name for one of them");
    }
    const handle made =
        owned_object(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT));
    if (!made) return library_failure("cannot create the group \"" + group + "\"");
  }
  return {};
}

status create_file(const std::string& file, const communicator* comm, const hint_list& hints,
                   handle& made, memory_file* memory) {
  const bool is_local =
      comm == nullptr ? is_local_file_system(file) : is_local_file_system(*comm, file);
  handle access;
  handle creation;
  const auto prepare = [&](hid_t new_access) {
    creation = owned_properties(H5Pcreate(H5P_FILE_CREATE));
    // Space is never used twice: what a killed program leaves is whole as of its last flush.
    return creation && H5Pset_link_creation_order(creation.get(), in_order) >= 0 &&
           H5Pset_attr_creation_order(creation.get(), in_order) >= 0 &&
           H5Pset_file_space_strategy(creation.get(), H5F_FSPACE_STRATEGY_AGGR, false, 1) >= 0 &&
           prepare_new_file(new_access, comm == nullptr, is_local);
  };
  if (status s = make_access(comm, hints, access, prepare); !s.ok()) return s;
  if (memory != nullptr && !memory->choose(access.get()))
    return library_failure("cannot choose HDF5's driver");
  made = owned_file(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()));
  if (!made) return library_failure("cannot create the file");
  if (comm != nullptr) give_hints_again(made.get(), info_of_hints::for_hdf5(hints));
  return {};
}

status open_file(const std::string& file, const communicator* comm, const hint_list& hints,
                 handle& opened) {
  // An errno is clearer than what HDF5 makes of it.
  if (status s = comm != nullptr ? check_readable(*comm, file) : check_not_empty(file); !s.ok())
    return s;
  handle access;
  if (status s = make_access(comm, hints, access, [](hid_t) { return true; }); !s.ok()) return s;
  // Through MPI-IO each opening is one of its own.
  opened = comm != nullptr ? owned_file(H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.get()))
                           : open_to_read(file, access);
  if (opened && comm != nullptr) give_hints_again(opened.get(), info_of_hints::for_hdf5(hints));
  if (opened) return {};
  status failed =
      library_failure("this is not an HDF5 file, or it is damaged", stat_code::header_damaged);
  if (failed.message().find("h5clear") == std::string::npos)
    return std::move(failed).advise("check that it was written and copied whole");
  return status::failure(stat_code::header_damaged, "HDF5 has marked the file as open for writing")
      .advise("close it where it is open; after a program was killed \"h5clear -s '" + file +
              "'\" takes the mark away");
}

status open_to_append(const std::string& file, memory_file& memory, handle& opened) {
  handle access;
  const bool is_local = is_local_file_system(file);
  const auto prepare = [&](hid_t made) { return prepare_new_file(made, true, is_local); };
  if (status s = make_access(nullptr, {}, access, prepare); !s.ok()) return s;
  if (!memory.choose(access.get())) return library_failure("cannot choose HDF5's driver");
  opened = owned_file(H5Fopen(file.c_str(), H5F_ACC_RDWR, access.get()));
  if (!opened)
    return library_failure("cannot open the file to add to it")
        .advise("close it where it is open, in this program and in others");
  return {};
}

status check_space(hid_t opened) {
  const handle creation = owned_properties(H5Fget_create_plist(opened));
  H5F_fspace_strategy_t strategy{};
  hbool_t persists = false;
  hsize_t threshold = 0;
  if (H5Pget_file_space_strategy(creation.get(), &strategy, &persists, &threshold) < 0)
    return library_failure("cannot learn how the file uses its space");
  if (strategy == H5F_FSPACE_STRATEGY_AGGR || strategy == H5F_FSPACE_STRATEGY_NONE) return {};
  return status::failure(stat_code::kind_unsupported,
                         "HDF5 may use space of this file twice while it grows")
      .advise(
          "write the arrays to a new file; headrace's files with transfer=\"headrace\" can grow, "
          "and "
          "those of h5py with fs_strategy=\"aggregate\"");
}

void give_hints_again(hid_t file, const info_of_hints& info) noexcept {
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || handle == nullptr) return;
  info.give_again(*static_cast<MPI_File*>(handle));
}

void learn_hints(hid_t file, const hint_list& asked, hints_found& found) {
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || handle == nullptr) return;
  found.learn(asked, *static_cast<MPI_File*>(handle));
}

namespace {

// What a failed MPI function said comes first, then which one it was.
struct error_lines {
  std::string deepest;
  std::string second;
  int error = 0;  // of the system, the deepest that any line names
  bool from_mpi = false;
};

herr_t collect(unsigned depth, const H5E_error2_t* error, void* data) {
  auto& lines = *static_cast<error_lines*>(data);
  const std::string text = error->desc == nullptr ? "" : error->desc;
  if (lines.error == 0) lines.error = error_in_words(text);
  if (depth == 0) {
    lines.deepest = text;
    lines.from_mpi = error->min_num == H5E_MPIERRSTR;
  } else if (depth == 1) {
    lines.second = text;
  }
  return 0;
}

}  // namespace

status library_failure(const std::string& what, stat_code code) {
  const int left = disk_error_in_errno();
  error_lines lines;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &lines);
  H5Eclear2(H5E_DEFAULT);
  if (lines.error == 0 && code == stat_code::library_failed) lines.error = left;
  if (lines.error > 0) return status::system(lines.error, what);
  std::string text = lines.deepest;
  if (lines.from_mpi && !lines.second.empty()) text = lines.second + ": " + text;
  if (text.empty()) text = "no reason given";
  for (char& letter : text)
    if (letter == '\n') letter = ' ';
  return status::failure(code, what + "; HDF5 says: " + text);
}

}  // namespace headrace::hdf5
