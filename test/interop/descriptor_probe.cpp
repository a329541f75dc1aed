// Shows Fortran tests how the library reads a descriptor, and makes one no Fortran statement makes.
#include <utility>

#include "bindings/descriptor.hpp"

extern "C" void hr_test_describe(const CFI_cdesc_t* array, int* type, int* bytes, int* array_rank,
                                 int* elements) {
  headrace::array_view view;
  const bool known = headrace::view_of(*array, view).ok();
  *type = known ? static_cast<int>(view.type) : 0;
  *bytes = static_cast<int>(view.elem_len);
  *array_rank = view.array_rank;
  *elements = static_cast<int>(headrace::element_count(view).value_or(0));
}

// Turns a pointer to a matrix into a pointer to its transpose, without moving an element.
extern "C" void hr_test_transpose(CFI_cdesc_t* pointer) {
  std::swap(pointer->dim[0], pointer->dim[1]);
}
