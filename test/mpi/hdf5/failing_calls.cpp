// A call of HDF5 fails on one MPI rank, each in its turn: all MPI ranks have a failure that tells
// HDF5's reason, nobody waits for ever, and none goes on with what HDF5 does by default. In the
// short form every third call of a scenario fails, in each scenario others. This program's
// functions come before HDF5's.
#include <dlfcn.h>
#include <hdf5.h>
#include <signal.h>
#include <unistd.h>

#include <complex>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include "arrays/faults_files.hpp"

namespace {

bool counts = false;
int turn = 0;
int seen = 0;
const char* failed_call = "";

// HDF5 itself then says what is wrong.
hid_t or_none(hid_t object, const char* name) {
  if (!counts || ++seen != turn) return object;
  failed_call = name;
  return H5I_INVALID_HID;
}

template <class Function>
Function* next(Function* /*same*/, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// As HDF5's function does, without its object when its turn has come.
template <class Result, class... Rest, class... Given>
Result passed_on(Result (*same)(hid_t, Rest...), const char* name, hid_t object, Given... rest) {
  return next(same, name)(or_none(object, name), rest...);
}

}  // namespace

extern "C" {

hid_t H5Pcreate(hid_t type) {
  return passed_on(&H5Pcreate, "H5Pcreate", type);
}
herr_t H5Pset_fclose_degree(hid_t list, H5F_close_degree_t degree) {
  return passed_on(&H5Pset_fclose_degree, "H5Pset_fclose_degree", list, degree);
}
herr_t H5Pset_fapl_sec2(hid_t list) {
  return passed_on(&H5Pset_fapl_sec2, "H5Pset_fapl_sec2", list);
}
herr_t H5Pset_alignment(hid_t list, hsize_t from, hsize_t to) {
  return passed_on(&H5Pset_alignment, "H5Pset_alignment", list, from, to);
}
herr_t H5Pset_sieve_buf_size(hid_t list, size_t bytes) {
  return passed_on(&H5Pset_sieve_buf_size, "H5Pset_sieve_buf_size", list, bytes);
}
herr_t H5Pset_cache(hid_t list, int elements, size_t slots, size_t bytes, double weight) {
  return passed_on(&H5Pset_cache, "H5Pset_cache", list, elements, slots, bytes, weight);
}
herr_t H5Pset_libver_bounds(hid_t list, H5F_libver_t low, H5F_libver_t high) {
  return passed_on(&H5Pset_libver_bounds, "H5Pset_libver_bounds", list, low, high);
}
herr_t H5Pset_link_creation_order(hid_t list, unsigned order) {
  return passed_on(&H5Pset_link_creation_order, "H5Pset_link_creation_order", list, order);
}
herr_t H5Pset_attr_creation_order(hid_t list, unsigned order) {
  return passed_on(&H5Pset_attr_creation_order, "H5Pset_attr_creation_order", list, order);
}
herr_t H5Pset_chunk(hid_t list, int array_rank, const hsize_t* extents) {
  return passed_on(&H5Pset_chunk, "H5Pset_chunk", list, array_rank, extents);
}
herr_t H5Pset_dxpl_mpio(hid_t list, H5FD_mpio_xfer_t how) {
  return passed_on(&H5Pset_dxpl_mpio, "H5Pset_dxpl_mpio", list, how);
}
H5D_layout_t H5Pget_layout(hid_t list) {
  return passed_on(&H5Pget_layout, "H5Pget_layout", list);
}
int H5Pget_chunk(hid_t list, int most, hsize_t* extents) {
  return passed_on(&H5Pget_chunk, "H5Pget_chunk", list, most, extents);
}
hid_t H5Tcopy(hid_t type) {
  return passed_on(&H5Tcopy, "H5Tcopy", type);
}
herr_t H5Tinsert(hid_t type, const char* name, size_t at, hid_t member) {
  return passed_on(&H5Tinsert, "H5Tinsert", type, name, at, member);
}
herr_t H5Tenum_insert(hid_t type, const char* name, const void* value) {
  return passed_on(&H5Tenum_insert, "H5Tenum_insert", type, name, value);
}
herr_t H5Tset_size(hid_t type, size_t bytes) {
  return passed_on(&H5Tset_size, "H5Tset_size", type, bytes);
}
herr_t H5Tset_order(hid_t type, H5T_order_t order) {
  return passed_on(&H5Tset_order, "H5Tset_order", type, order);
}
size_t H5Tget_size(hid_t type) {
  return passed_on(&H5Tget_size, "H5Tget_size", type);
}
H5T_sign_t H5Tget_sign(hid_t type) {
  return passed_on(&H5Tget_sign, "H5Tget_sign", type);
}
htri_t H5Tis_variable_str(hid_t type) {
  return passed_on(&H5Tis_variable_str, "H5Tis_variable_str", type);
}
hid_t H5Dget_space(hid_t dataset) {
  return passed_on(&H5Dget_space, "H5Dget_space", dataset);
}
herr_t H5Sselect_hyperslab(hid_t space, H5S_seloper_t how, const hsize_t* start,
                           const hsize_t* stride, const hsize_t* count, const hsize_t* block) {
  return passed_on(&H5Sselect_hyperslab, "H5Sselect_hyperslab", space, how, start, stride, count,
                   block);
}
int H5Sget_simple_extent_dims(hid_t space, hsize_t* extents, hsize_t* largest) {
  return passed_on(&H5Sget_simple_extent_dims, "H5Sget_simple_extent_dims", space, extents,
                   largest);
}
hssize_t H5Sget_simple_extent_npoints(hid_t space) {
  return passed_on(&H5Sget_simple_extent_npoints, "H5Sget_simple_extent_npoints", space);
}
H5S_class_t H5Sget_simple_extent_type(hid_t space) {
  return passed_on(&H5Sget_simple_extent_type, "H5Sget_simple_extent_type", space);
}
htri_t H5Aexists(hid_t object, const char* name) {
  return passed_on(&H5Aexists, "H5Aexists", object, name);
}

// Of all MPI ranks together, which HDF5 makes a communicator of: another list gets it.
herr_t H5Pset_fapl_mpio(hid_t list, MPI_Comm comm, MPI_Info info) {
  const auto set = next(&H5Pset_fapl_mpio, "H5Pset_fapl_mpio");
  if (or_none(list, "H5Pset_fapl_mpio") == list) return set(list, comm, info);
  const hid_t other = next(&H5Pcreate, "H5Pcreate")(H5P_FILE_ACCESS);
  set(other, comm, info);
  H5Pclose(other);
  return next(&H5Pset_fapl_sec2, "H5Pset_fapl_sec2")(H5I_INVALID_HID);
}

}  // extern "C"

namespace {

using faults::way;
using spread::checks;
using spread::cut;
using spread::spread_array;

constexpr unsigned longest_wait = 30;  // seconds
std::string where;

void tell_who_waits(int) {
  const std::string text = where + failed_call + ": somebody waits for ever\n";
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) std::abort();
  std::abort();
}

class failing_calls {
 public:
  failing_calls(checks& check, const way& how)
      : check_(check), options_(how.options()), name_(how.text()) {
    file_ = std::string("failing_calls.") + how.ending;
    kinds_[0] = "complex64";
    kinds_[1] = "logical4";
  }

  void run_on(int victim) {
    each_of(victim, "writing", [&] { writes(); });
    victim_ = -1;
    writes();
    each_of(victim, "reading", [&] { reads(); });
  }

 private:
  void each_of(int victim, const char* doing, const std::function<void()>& scenario) {
    victim_ = victim;
    int refused = 1;
    const int every = spread::long_tests() ? 1 : 3;
    for (turn = 1 + first_++ % every; refused != 0; turn += every) {
      where = name_ + ", " + doing + ", call " + std::to_string(turn) + " of MPI rank " +
              std::to_string(victim) + ": ";
      seen = 0;
      failures_ = 0;
      failed_call = "";
      ::alarm(longest_wait);
      scenario();
      ::alarm(0);
      refused = seen >= turn ? 1 : 0;
      MPI_Bcast(&refused, 1, MPI_INT, victim, MPI_COMM_WORLD);
      if (refused != 0)
        check_.that(failures_ > 0, where + failed_call + " failed, and no MPI rank heard of it");
    }
    if (victim == 0) check_.that(turn > 20, where + "fewer calls than that were made");
  }

  bool call(const std::string& doing, const std::function<int(hr_error&)>& make) {
    hr_error error{};
    counts = check_.rank() == victim_;
    const int code = make(error);
    counts = false;
    int codes[2] = {code, -code};
    MPI_Allreduce(MPI_IN_PLACE, codes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    const std::string what = where + failed_call + ", " + doing + ": ";
    check_.that(codes[0] == -codes[1], what + "another outcome than elsewhere: " +
                                           std::to_string(code) + ", " + error.message);
    if (codes[0] != -codes[1]) MPI_Abort(MPI_COMM_WORLD, 1);  // the next call would wait
    if (code != 0 && ++failures_ == 1)
      check_.that(std::strstr(error.message, "HDF5 says: ") != nullptr &&
                      std::strstr(error.message, "no reason given") == nullptr,
                  what + error.message);
    return code == 0;
  }

  bool opens(hr_dataset& state, const char* action) {
    return call(std::string("opening to ") + action, [&](hr_error& error) {
      return hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, action, &options_, &error);
    });
  }

  void closes(hr_dataset& state) {
    call("closing", [&](hr_error& error) { return hr_close_dataset(&state, &error); });
  }

  // Two steps of an array in a group, one without steps, and a text.
  void writes() {
    hr_dataset state = 0;
    if (!opens(state, "write")) return;
    for (const long long step : {1LL, 2LL, 0LL}) {
      spread_array data(MPI_COMM_WORLD, spread::kind_named(kinds_[step == 0]), {7, 6, 5},
                        cut::uneven);
      data.fill(step);
      call("an array", [&](hr_error& error) {
        return hr_write_dataset_array(state, step == 0 ? "whole" : "group/steps", data.array(),
                                      data.layout(), nullptr, step == 0 ? nullptr : &step, &error);
      });
    }
    call("an attribute", [&](hr_error& error) {
      const hr_array text = the_text();
      return hr_write_attribute(state, nullptr, "text", &text, &error);
    });
    closes(state);
  }

  void reads() {
    hr_dataset state = 0;
    if (!opens(state, "read")) return;
    for (const long long step : {2LL, 0LL}) {
      spread_array data(MPI_COMM_WORLD, spread::kind_named(kinds_[step == 0]), {7, 6, 5},
                        cut::balanced);
      data.clear();
      const bool done = call("an array", [&](hr_error& error) {
        return hr_read_dataset_array(state, step == 0 ? "whole" : "group/steps", data.array(),
                                     data.layout(), step == 0 ? nullptr : &step, &error);
      });
      if (done) check_.that(data.wrong(step) == 0, where + failed_call + ": other values");
    }
    call("an attribute", [&](hr_error& error) {
      const hr_array text = the_text();
      return hr_read_attribute(state, nullptr, "text", &text, &error);
    });
    closes(state);
  }

  hr_array the_text() {
    hr_array one{};
    one.base = text_;
    one.type = HR_TYPE_CHARACTER;
    one.elem_len = sizeof text_;
    return one;
  }

  checks& check_;
  hr_parallel_options options_;
  std::string name_;
  std::string file_;
  const char* kinds_[2] = {};
  char text_[5] = {'w', 'o', 'r', 'd', 's'};
  int victim_ = -1;
  int failures_ = 0;
  int first_ = 0;
};

void test(checks& check) {
  ::signal(SIGALRM, tell_who_waits);
  for (const way& how : faults::ways()) {
    if (std::string(how.format) != "hdf5") continue;
    // Without the library both shared patterns call HDF5 in one way.
    if (how.text() == "hdf5 shared_independent by headrace") continue;
    failing_calls(check, how).run_on(0);
    // MPI rank 0 alone calls HDF5 in a serial write.
    if (!how.is_serial()) failing_calls(check, how).run_on(check.size() - 1);
  }
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "failing calls of HDF5", test);
}
