// What the files of this folder share: failures and types of ADIOS2 as headrace has them.
#pragma once

#include <adios2.h>

#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../dataset/backend.hpp"
#include "../../together/function_ref.hpp"

namespace headrace::adios2_format {

// Collective: writer.cpp and reader.cpp.
status create(const dataset_opening& how, std::unique_ptr<dataset_writer>& made);
status open(const dataset_opening& how, std::unique_ptr<dataset_reader>& made);

// Nothing below is collective (reader.cpp, forms.cpp).

// Runs a call. What it throws is the failure, with errno if its words name one.
status attempt(std::string_view what, const std::string& file, function_ref<void()> call);

// ADIOS2's own object. Its place is there before other MPI ranks wait in its constructor, and it is
// destroyed only by end(): otherwise it is left to the end of the process.
class library {
 public:
  library() = default;
  library(const library&) = delete;
  library& operator=(const library&) = delete;

  adios2::IO begin(MPI_Comm comm) {
    own_ = new (place_) adios2::ADIOS(comm);
    return own_->DeclareIO("headrace");
  }
  void end() {
    if (own_ != nullptr) std::exchange(own_, nullptr)->~ADIOS();
  }

 private:
  alignas(adios2::ADIOS) unsigned char place_[sizeof(adios2::ADIOS)] = {};
  adios2::ADIOS* own_ = nullptr;
};

// How elements lie in a variable: characters are bytes with a fastest dimension of their length.
struct form {
  adios2::DataType type = adios2::DataType::None;
  std::size_t text_length = 0;  // 0: no characters
  std::string mark;             // attribute headrace_type: "logical", "character", or ""
};
// Failure kind_unsupported.
status find_form(const array_view& array, form& found);
// The other way; false: Fortran has no such kind.
bool find_kind(const form& of, described_array& array);

// In ADIOS2's row-major order, which is Fortran's in reverse.
adios2::Box<adios2::Dims> section_of(const box& part, const form& of);

inline constexpr const char* mark_attribute = "headrace_type";
inline constexpr const char* steps_attribute = "headrace_steps";
inline constexpr const char* dimensions_attribute = "dimensions";
inline constexpr const char* step_variable = "step";

// Those of an array are called <array>/<name>.
std::string attribute_name(const std::string& array, const std::string& name);
status put_attribute(adios2::IO& io, const std::string& file, const std::string& name,
                     const array_view& value);
status get_attribute(adios2::IO& io, const std::string& file, const std::string& name,
                     const array_view& value);
// Empty when there is none, or none of that type.
std::vector<std::string> texts_of(adios2::IO& io, const std::string& name);
std::vector<std::int64_t> numbers_of(adios2::IO& io, const std::string& name);

enum class engine_kind { bp5, bp4 };
// "BP5" unless hint engine says otherwise. Failure option_unknown.
status find_engine(const hint_list& hints, engine_kind& found);
// What BP4 keeps until it writes; what it is given at once must be smaller.
inline constexpr std::int64_t bp4_buffer_bytes = std::int64_t{16} << 20;
// Notes what is in force of the hints and what is ignored. writers: MPI ranks that have the store
// open; io: null on others.
status configure(adios2::IO* io, const std::string& file, engine_kind kind, int writers,
                 const hint_list& hints, hints_found& found);

}  // namespace headrace::adios2_format
