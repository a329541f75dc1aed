#include "scales.hpp"

#include <array>
#include <numeric>

#include "../../together/communicator.hpp"
#include "file.hpp"

namespace headrace::hdf5 {
namespace {

const char* const no_variable = "This is a netCDF dimension but not a netCDF variable.";

// As H5DS lays it out.
struct scale_user {
  hobj_ref_t dataset;
  unsigned dimension;
};

// "" if there is no such text.
status read_text(hid_t object, const char* name, std::string& text) {
  const auto failure = [&] {
    text.clear();
    return library_failure("cannot read the metadata of a dimension", stat_code::header_damaged);
  };
  text.clear();
  const htri_t is_there = H5Aexists(object, name);
  if (is_there == 0) return {};
  if (is_there < 0) return failure();
  const handle attribute = owned_attribute(H5Aopen(object, name, H5P_DEFAULT));
  const handle type = owned_type(H5Aget_type(attribute.get()));
  const H5T_class_t kind = H5Tget_class(type.get());
  const htri_t variable = kind == H5T_STRING ? H5Tis_variable_str(type.get()) : 0;
  if (kind < 0 || variable < 0) return failure();
  if (kind != H5T_STRING || variable > 0) return {};
  text.resize(H5Tget_size(type.get()));
  if (text.empty() || H5Aread(attribute.get(), type.get(), text.data()) < 0) return failure();
  text = text.c_str();
  return {};
}

bool is_scale(hid_t dataset) {
  std::string text;
  return read_text(dataset, "CLASS", text).ok() && text == "DIMENSION_SCALE";
}

status find_unlimited(hid_t dataset, bool& unlimited) {
  std::array<hsize_t, H5S_MAX_RANK> largest{};
  const handle space = owned_space(H5Dget_space(dataset));
  const int dimensions = H5Sget_simple_extent_dims(space.get(), nullptr, largest.data());
  unlimited = dimensions > 0 && largest[0] == H5S_UNLIMITED;
  return dimensions >= 0 ? status() : library_failure("cannot learn whether steps can be added");
}

bool names_steps(const std::string& name) {
  const std::string ending = "_step";
  return name == "step" || (name.size() > ending.size() &&
                            name.compare(name.size() - ending.size(), ending.size(), ending) == 0);
}

status read_steps(hid_t scale_dataset, std::vector<std::int64_t>& steps) {
  const handle space = owned_space(H5Dget_space(scale_dataset));
  const hssize_t count = space ? H5Sget_simple_extent_npoints(space.get()) : -1;
  std::string title;
  if (count < 0) return library_failure("cannot read the numbers of the steps");
  if (status s = read_text(scale_dataset, "NAME", title); !s.ok()) return s;
  steps.resize(static_cast<std::size_t>(count));
  if (title.rfind(no_variable, 0) == 0) {      // counted, not numbered
    std::iota(steps.begin(), steps.end(), 1);  // as in every format
    return {};
  }
  if (count == 0 ||
      H5Dread(scale_dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, steps.data()) >= 0)
    return {};
  return library_failure("cannot read the numbers of the steps", stat_code::header_damaged);
}

// The first scale of a dimension.
handle scale_of(hid_t dataset, const hvl_t& list) {
  if (list.len == 0) return {};
  return owned_object(H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, list.p));
}

// Without the slash before it.
std::string path_of_object(hid_t object) {
  std::vector<char> name(1024, '\0');
  const ssize_t length = H5Iget_name(object, name.data(), name.size());
  return length > 1 ? std::string(name.data() + 1) : "";
}

}  // namespace

status replace_attribute(hid_t object, const char* name, hid_t type, hid_t space,
                         const void* values, const std::string& what) {
  const htri_t is_there = H5Aexists(object, name);
  if (is_there < 0 || (is_there > 0 && H5Adelete(object, name) < 0)) return library_failure(what);
  const handle attribute =
      owned_attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  if (attribute && H5Awrite(attribute.get(), type, values) >= 0) return {};
  return library_failure(what);
}

status write_text(hid_t object, const char* name, const std::string& text) {
  const handle type = owned_type(H5Tcopy(H5T_C_S1));
  handle space;
  if (type && H5Tset_size(type.get(), text.size() + 1) >= 0)
    space = owned_space(H5Screate(H5S_SCALAR));
  if (!space) return library_failure("cannot name a dimension");
  return replace_attribute(object, name, type.get(), space.get(), text.c_str(),
                           "cannot name a dimension");
}

std::string title_of_dimension(std::int64_t extent) {
  const std::string length = std::to_string(extent);
  return no_variable + std::string(length.size() < 10 ? 13 - length.size() : 3, ' ') + length;
}

status make_scale(hid_t dataset, const std::string& title) {
  status made = write_text(dataset, "CLASS", "DIMENSION_SCALE");
  return made.ok() ? write_text(dataset, "NAME", title) : made;
}

status number_scale(hid_t scale, int number) {
  const handle scalar = owned_space(H5Screate(H5S_SCALAR));
  return replace_attribute(scale, dimension_number, H5T_NATIVE_INT, scalar.get(), &number,
                           "cannot number a dimension");
}

status refer_to(hid_t dataset, hobj_ref_t& reference) {
  if (H5Rcreate(&reference, dataset, ".", H5R_OBJECT, -1) >= 0) return {};
  return library_failure("cannot refer to an array or a dimension");
}

status list_references(hid_t scale, const scale_references& users) {
  const char* const what = "cannot list the arrays of a dimension";
  if (users.empty()) {
    const htri_t is_there = H5Aexists(scale, "REFERENCE_LIST");
    const bool done = is_there == 0 || (is_there > 0 && H5Adelete(scale, "REFERENCE_LIST") >= 0);
    return done ? status() : library_failure(what);
  }
  std::vector<scale_user> list;
  for (const auto& [reference, dimension] : users) list.push_back({reference, dimension});
  const handle type = owned_type(H5Tcreate(H5T_COMPOUND, sizeof(scale_user)));
  const hsize_t count = list.size();
  handle space;
  if (type &&
      H5Tinsert(type.get(), "dataset", HOFFSET(scale_user, dataset), H5T_STD_REF_OBJ) >= 0 &&
      H5Tinsert(type.get(), "dimension", HOFFSET(scale_user, dimension), H5T_NATIVE_UINT) >= 0)
    space = owned_space(H5Screate_simple(1, &count, nullptr));
  if (!space) return library_failure(what);
  return replace_attribute(scale, "REFERENCE_LIST", type.get(), space.get(), list.data(), what);
}

status name_dimensions(hid_t dataset, std::vector<hobj_ref_t>& scales, list_form& form) {
  const char* const what = "cannot name the dimensions of an array";
  std::vector<hvl_t> values;
  for (hobj_ref_t& one : scales) values.push_back({1, &one});
  const hsize_t count = scales.size();
  if (!form.type) form.type = owned_type(H5Tvlen_create(H5T_STD_REF_OBJ));
  if (form.dimensions != count) form.space = owned_space(H5Screate_simple(1, &count, nullptr));
  form.dimensions = form.space ? scales.size() : 0;
  if (!form.type || !form.space) return library_failure(what);
  return replace_attribute(dataset, "DIMENSION_LIST", form.type.get(), form.space.get(),
                           values.data(), what);
}

status write_numbers(hid_t scale, const std::vector<std::int64_t>& numbers, std::size_t from) {
  if (from >= numbers.size()) return {};
  const hsize_t extent = numbers.size();
  const hsize_t start = from;
  const hsize_t count = extent - start;
  hsize_t before = 0;
  handle all = owned_space(H5Dget_space(scale));
  if (!all || H5Sget_simple_extent_dims(all.get(), &before, nullptr) < 0 ||
      (before < extent && H5Dset_extent(scale, &extent) < 0))
    return library_failure("cannot add to the numbers of the steps");
  if (before < extent) all = owned_space(H5Dget_space(scale));
  const handle part = owned_space(H5Screate_simple(1, &count, nullptr));
  if (all && part &&
      H5Sselect_hyperslab(all.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0 &&
      H5Dwrite(scale, H5T_NATIVE_INT64, part.get(), all.get(), H5P_DEFAULT,
               numbers.data() + from) >= 0)
    return {};
  return library_failure("cannot write the numbers of the steps");
}

status read_dimensions(hid_t dataset, std::vector<std::string>& scales, bool& has_steps,
                       std::vector<std::int64_t>& steps) {
  const auto failure = [] {
    return library_failure("cannot read the names of the dimensions", stat_code::header_damaged);
  };
  const handle space = owned_space(H5Dget_space(dataset));
  const int array_rank = H5Sget_simple_extent_ndims(space.get());
  if (array_rank < 0) return failure();
  const auto dimensions = static_cast<std::size_t>(array_rank);
  scales.assign(dimensions, "");
  has_steps = false;
  if (dimensions == 1 && is_scale(dataset)) scales[0] = path_of_object(dataset);
  const htri_t has_list = H5Aexists(dataset, "DIMENSION_LIST");
  if (has_list < 0) return failure();
  if (has_list == 0) return {};
  const handle attribute = owned_attribute(H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT));
  const handle type = owned_type(H5Tvlen_create(H5T_STD_REF_OBJ));
  const handle list_space = owned_space(H5Aget_space(attribute.get()));
  const hssize_t count = H5Sget_simple_extent_npoints(list_space.get());
  if (count < 0) return failure();
  if (count != array_rank) return {};
  std::vector<hvl_t> lists(dimensions);
  if (H5Aread(attribute.get(), type.get(), lists.data()) < 0) return failure();
  status result;
  for (std::size_t d = 0; d < dimensions && result.ok(); ++d) {
    const handle found = scale_of(dataset, lists[d]);
    if (!found) continue;
    scales[d] = path_of_object(found.get());
    if (d == 0 && names_steps(leaf_of(scales[0]))) result = find_unlimited(dataset, has_steps);
    if (d == 0 && result.ok() && has_steps) result = read_steps(found.get(), steps);
  }
  H5Dvlen_reclaim(type.get(), list_space.get(), H5P_DEFAULT, lists.data());
  H5Eclear2(H5E_DEFAULT);
  return result;
}

bool is_dimension_only(hid_t dataset) {
  if (!is_scale(dataset)) return false;
  std::string title;
  bool unlimited = false;
  if (!read_text(dataset, "NAME", title).ok()) return false;
  return title.rfind(no_variable, 0) == 0 ||
         (names_steps(title) && find_unlimited(dataset, unlimited).ok() && unlimited);
}

bool is_reserved_attribute(const std::string& name) {
  return name == "CLASS" || name == "NAME" || name == "DIMENSION_LIST" || name == "REFERENCE_LIST";
}

}  // namespace headrace::hdf5
