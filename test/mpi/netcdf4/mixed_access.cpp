// Arrays that all MPI ranks read together, and others that some of them read alone, with steps and
// in every order: the library asks all MPI ranks for the number of steps as long as one variable is
// of collective access, and who is not asked leaves the others waiting.
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "checks.hpp"
#include "formats/netcdf/file.hpp"
#include "spread_arrays.hpp"

namespace {

using namespace spread;
using headrace::status;

constexpr long long numbers[] = {10, 20};  // of the steps

struct member {
  const char* name;
  extents global;
  cut how;
  std::int64_t first;  // of the values
};
// Blocks of "p" lie between each other, so MPI-IO collects them; those of the others do not.
const std::vector<member> members = {{"p", {8, 6}, cut::first, 100},
                                     {"c", {60}, cut::one_holder, 5000},
                                     {"f", {9, 5}, cut::few_holders, 9000}};
const char* const orders_of_writing[] = {"pcf", "cpf", "fcp"};
const char* const orders_of_reading[] = {"pcf", "cpf", "fcp", "cppcc", "pcpf"};

const member& member_named(char name) {
  return *std::find_if(members.begin(), members.end(),
                       [&](const member& one) { return one.name[0] == name; });
}
std::int64_t first_value(const member& one, long long step) {
  return one.first + step * 100;
}

class mixed_access {
 public:
  explicit mixed_access(checks& check) : check_(check) {}

  // Step 2 of those that come last in an order is left out, and filled when the file is closed.
  void write(const std::string& file, const std::string& order, const char* mode) {
    const hr_dataset state = open(file, "write", mode);
    for (const long long step : numbers)
      for (const char name : order) {
        const member& one = member_named(name);
        if (step > numbers[0] && name == order.back()) continue;
        spread_array from(MPI_COMM_WORLD, kind_named("real32"), one.global, one.how);
        from.fill(first_value(one, step));
        check_.ok(hr_write_dataset_array(state, one.name, from.array(), from.layout(), nullptr,
                                         &step, &error_),
                  error_, std::string("write ") + one.name + " of " + file);
      }
    close(state, file);
  }

  void read(const std::string& file, const std::string& order, const char* mode) {
    const hr_dataset state = open(file, "read", mode);
    for (const char name : order) {
      const member& one = member_named(name);
      const std::string what = file + " in order " + order + ", " + name;
      long long steps = 0;
      check_.ok(hr_describe_dataset_array(state, one.name, nullptr, &steps, &error_), error_, what);
      for (long long i = steps; i-- > 0;) {
        const long long step = numbers[i];
        spread_array to(MPI_COMM_WORLD, kind_named("real32"), one.global, one.how);
        to.clear();
        check_.ok(hr_read_dataset_array(state, one.name, to.array(), to.layout(), &step, &error_),
                  error_, what);
        check_.that(to.wrong(first_value(one, step)) == 0, what + ": wrong elements");
      }
    }
    close(state, file);
  }

 private:
  hr_dataset open(const std::string& file, const char* action, const char* mode) {
    hr_dataset state = 0;
    hr_parallel_options chosen{};
    chosen.format = "netcdf4";
    chosen.mode = mode;
    check_.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, action, &chosen, &error_),
              error_, "open " + file);
    return state;
  }
  void close(hr_dataset state, const std::string& file) {
    check_.ok(hr_close_dataset(&state, &error_), error_, "close " + file);
  }

  checks& check_;
  hr_error error_{};
};

// What another program compressed stays of collective access once it is read so.
class compressed_file {
 public:
  compressed_file(checks& check, const std::string& file) {
    if (check.rank() == 0) {
      call(nc_create(file.c_str(), NC_NETCDF4 | NC_CLOBBER, &file_));
      call(nc_def_dim(file_, "time", NC_UNLIMITED, &steps_));
      add_numbers();
      for (const member& one : members) add(one);
      call(nc_close(file_));
    }
    check.that(code_ == NC_NOERR, file + ": " + nc_strerror(code_));
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  void call(int code) {
    if (code_ == NC_NOERR) code_ = code;
  }

  void add_numbers() {
    int variable = 0;
    call(nc_def_var(file_, "time", NC_SHORT, 1, &steps_, &variable));
    call(nc_def_var_deflate(file_, variable, 1, 1, 1));
    const std::size_t start = 0;
    const std::size_t count = std::size(numbers);
    call(nc_put_vara_longlong(file_, variable, &start, &count, numbers));
  }

  void add(const member& one) {
    std::vector<int> dimensions{steps_};
    std::vector<std::size_t> count{1};
    std::size_t elements = 1;
    for (std::size_t d = one.global.size(); d-- > 0;) {
      count.push_back(static_cast<std::size_t>(one.global[d]));
      elements *= count.back();
      const std::string name = one.name + std::to_string(d);
      call(nc_def_dim(file_, name.c_str(), count.back(), &dimensions.emplace_back()));
    }
    int variable = 0;
    call(nc_def_var(file_, one.name, NC_FLOAT, static_cast<int>(count.size()), dimensions.data(),
                    &variable));
    if (one.name[0] != 'c') call(nc_def_var_deflate(file_, variable, 1, 1, 1));
    std::vector<float> values(elements);
    std::vector<std::size_t> start(count.size(), 0);
    for (const long long step : numbers) {
      for (std::size_t i = 0; i < elements; ++i)
        put_value(kind_named("real32"), first_value(one, step) + static_cast<std::int64_t>(i),
                  reinterpret_cast<char*>(&values[i]));
      call(nc_put_vara_float(file_, variable, start.data(), count.data(), values.data()));
      ++start[0];
    }
  }

  int file_ = 0;
  int steps_ = 0;
  int code_ = NC_NOERR;
};

// Turns of the MPI ranks at an array, while the others are elsewhere.
class turns {
 public:
  turns(checks& check, const std::string& path)
      : check_(check), path_(path), how_{path, nullptr, {}, notes_} {}

  void of_readers() {
    file_ = headrace::netcdf::make_netcdf4_file();
    ok(file_->open(how_, MPI_COMM_WORLD), "open");
    std::vector<headrace::netcdf::file_dimension> dimensions;
    std::vector<headrace::netcdf::file_variable> variables;
    ok(file_->contents(dimensions, variables), "contents");
    const auto place_of = [&](const char* name) {
      const auto found = std::find_if(variables.begin(), variables.end(),
                                      [&](const auto& one) { return one.name == name; });
      return place{static_cast<int>(found - variables.begin()),
                   static_cast<int>(found->dimensions.size()) - 1};
    };
    read_together(place_of("p"), 0, true);
    read_alone(place_of("c"));
    read_together(place_of("p"), 99, false);  // a step that is not there
    read_alone(place_of("c"));
    read_together(place_of("f"), 1, true);
    read_alone(place_of("p"));
    ok(file_->close(), "close");
  }

  void of_writers() {
    file_ = headrace::netcdf::make_netcdf4_file();
    ok(file_->create(how_, MPI_COMM_WORLD), "create");
    int steps = 0;
    int length = 0;
    ok(file_->add_dimension("step", 0, steps), "add a dimension");
    ok(file_->add_dimension("x", elements, length), "add a dimension");
    std::array<int, 2> ids{};
    const char* const names[] = {"together", "alone"};
    for (std::size_t i = 0; i < ids.size(); ++i)
      ok(file_->add_variable({names[i], real32, false, {steps, length}}, {0, elements}, ids[i]),
         "add a variable");
    ok(file_->end_define(), "end definitions");
    for (int record = 0; record < 2; ++record) {
      bool collective = true;
      ok(file_->use(ids[0], collective), "use together");
      ok(file_->move(out, ids[0], section(record), values_.data()), "write together");
      ok(file_->extend(ids[1], section(record, 1, 1), values_.data()), "extend");
      collective = false;
      ok(file_->use(ids[1], collective), "use alone");
      in_turn([&] { return file_->move(out, ids[1], section(record), values_.data()); });
      in_turn([&] { return file_->move(in, ids[1], section(record), values_.data()); });
    }
    ok(file_->close(), "close");
  }

 private:
  static constexpr auto real32 = headrace::netcdf::value_type::real32;
  static constexpr auto out = headrace::direction::out;
  static constexpr auto in = headrace::direction::in;
  static constexpr std::int64_t elements = 8;

  void ok(const status& done, const std::string& what) {
    check_.that(done.ok(), path_ + ", " + what + ": " + done.message());
  }

  struct place {
    int variable;
    int array_rank;
  };

  // Some elements of a record.
  static headrace::netcdf::file_section section(int record, int array_rank = 1,
                                                std::int64_t count = elements) {
    headrace::box part;
    part.array_rank = array_rank;
    part.count.fill(1);
    part.count[0] = count;
    return headrace::netcdf::section_of(part, {real32, 1, "", ""}, record, false);
  }

  void read_together(const place& of, int record, bool is_there) {
    bool collective = true;
    ok(file_->use(of.variable, collective), "use together");
    const status done =
        file_->move(in, of.variable, section(record, of.array_rank), values_.data());
    check_.that(done.ok() == is_there, path_ + ", read together: " + done.message());
  }

  void read_alone(const place& of) {
    bool collective = false;
    ok(file_->use(of.variable, collective), "use alone");
    in_turn(
        [&] { return file_->move(in, of.variable, section(1, of.array_rank), values_.data()); });
  }

  template <class Act>
  void in_turn(Act act) {
    for (int rank = check_.size(); rank-- > 0;) {
      if (rank == check_.rank()) ok(act(), "alone");
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }

  checks& check_;
  std::string path_;
  headrace::parallel_notes notes_;
  headrace::dataset_opening how_;
  std::unique_ptr<headrace::netcdf::library_file> file_;
  std::array<float, elements> values_{};
};

void test(checks& check) {
  mixed_access access(check);
  const compressed_file compressed(check, "compressed.nc");
  for (const char* mode : {"collective", "independent"}) {
    for (const char* written : orders_of_writing) {
      const std::string file = std::string(mode) + "_" + written + ".nc";
      access.write(file, written, mode);
      for (const char* order : orders_of_reading) access.read(file, order, "collective");
    }
    for (const char* order : orders_of_reading) access.read("compressed.nc", order, mode);
  }
  turns(check, "collective_pcf.nc").of_readers();
  turns(check, "turns.nc").of_writers();
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "netcdf4_mixed_access", test);
}
