// npy files: headers as numpy writes them, every order, and what is refused.
#include <sys/stat.h>

#include <algorithm>
#include <complex>
#include <thread>

#include "numpy_fixture.hpp"

namespace headrace {
namespace {

class Npy : public NumpyFile {
 protected:
  status read(const std::string& bytes, const array_view& array) const {
    put(path("x.npy"), bytes);
    return read_npy(path("x.npy"), array, {});
  }
};

TEST_F(Npy, HeaderIsTheOneOfNumpySave) {
  const auto x = matrix();
  ASSERT_EQ(write_npy(path("x.npy"), x.view, {}).message(), "");
  const std::string bytes = content(path("x.npy"));
  ASSERT_EQ(bytes.size(), 128U + 96U);
  const std::string text = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4), }";
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(bytes.substr(10, text.size()), text);
  EXPECT_EQ(bytes.substr(10 + text.size(), 117 - text.size()), std::string(117 - text.size(), ' '));
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_EQ(std::memcmp(bytes.data() + 128, x.values.data(), 96), 0);
}

TEST_F(Npy, ArraysInCOrderStayInIt) {
  auto x = matrix();
  x.view.stride = {32, 8};
  ASSERT_EQ(write_npy(path("x.npy"), x.view, {}).message(), "");
  const std::string bytes = content(path("x.npy"));
  EXPECT_NE(bytes.find("'fortran_order': False, 'shape': (3, 4)"), std::string::npos);
  EXPECT_EQ(std::memcmp(bytes.data() + 128, x.values.data(), 96), 0);
  numpy_sample<double> found(type_class::real, {3, 4});
  ASSERT_EQ(read_npy(path("x.npy"), found.view, {}).message(), "");
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(found.values[i], i % 3 * 4 + i / 3);
}

// Shapes on both sides of what the transposition does differently.
TEST_F(Npy, FilesInCOrderFillArraysAndSectionsOfEveryShape) {
  const std::vector<std::vector<std::ptrdiff_t>> shapes = {{2, 3},       {5000, 3},    {3, 5000},
                                                           {40, 9000},   {9000, 5},    {2, 3, 7000},
                                                           {4, 4, 4, 5}, {1, 70, 1, 9}};
  for (const auto& shape : shapes) {
    array_view file;
    file.elem_len = 4;
    file.array_rank = static_cast<int>(shape.size());
    std::copy(shape.begin(), shape.end(), file.extent.begin());
    std::vector<std::int32_t> values(element_count(file).value());
    std::iota(values.begin(), values.end(), 0);
    file.base = reinterpret_cast<char*>(values.data());
    array_view section = file;
    std::ptrdiff_t in_c = 4;
    std::ptrdiff_t in_fortran = 8;  // every second element
    for (std::size_t d = shape.size(); d-- > 0; in_c *= shape[d]) file.stride[d] = in_c;
    for (std::size_t d = 0; d < shape.size(); in_fortran *= shape[d++])
      section.stride[d] = in_fortran;
    std::vector<std::int32_t> found(2 * values.size(), -1);
    section.base = reinterpret_cast<char*>(found.data());
    for (const byte_order order : {byte_order::little, byte_order::big}) {
      write_settings settings;
      settings.binary.order = order;
      ASSERT_EQ(write_npy(path("x.npy"), file, settings).message(), "");
      ASSERT_EQ(read_npy(path("x.npy"), section, {}).message(), "");
      std::size_t at = 0;
      for_each_run(with_reversed_dimensions(section), [&](const char* run, std::size_t bytes) {
        std::int32_t value = 0;
        for (std::size_t i = 0; i < bytes / 4; ++i, ++at) {
          std::memcpy(&value, run + 4 * i, 4);
          if (value != values[at]) return false;
        }
        return true;
      });
      EXPECT_EQ(at, values.size()) << shape[0] << " " << shape[1];
      EXPECT_EQ(std::count(found.begin(), found.end(), -1),
                static_cast<std::ptrdiff_t>(values.size()));
    }
  }
}

TEST_F(Npy, LogicalsOfEveryLengthAreBooleansOfOneByte) {
  numpy_sample<std::int32_t> x(type_class::logical, {5});
  x.values = {1, 0, -1, 256, 0};
  ASSERT_EQ(write_npy(path("x.npy"), x.view, {}).message(), "");
  EXPECT_NE(content(path("x.npy")).find("'descr': '|b1'"), std::string::npos);
  EXPECT_EQ(content(path("x.npy")).substr(128), std::string("\1\0\1\1\0", 5));
  numpy_sample<std::int64_t> found(type_class::logical, {5});
  ASSERT_EQ(read_npy(path("x.npy"), found.view, {}).message(), "");
  EXPECT_EQ(found.values, (std::vector<std::int64_t>{1, 0, 1, 1, 0}));
}

TEST_F(Npy, DictionariesAsPythonAllowsThemAreRead) {
  const std::string data("\1\0\0\0\2\0\0\0", 8);
  for (const char* text : {"{'descr': '<i4', 'fortran_order': False, 'shape': (2L, 1L), }",
                           "{\"shape\":(2,1),\"descr\":\"<i4\",\"fortran_order\":True}",
                           " { 'shape' : ( 2 , 1 , ) , 'fortran_order' : False,'descr':'i4',}  "}) {
    numpy_sample<std::int32_t> x(type_class::integer, {2, 1});
    EXPECT_EQ(read(npy_of(text, data), x.view).message(), "") << text;
    EXPECT_EQ(x.values, (std::vector<std::int32_t>{1, 2}));
  }
}

TEST_F(Npy, OtherDictionariesAreRefusedAtTheirByte) {
  for (const char* text :
       {"", "{", "{}", "[]", "{'descr': '<i4', 'shape': (2,)}",
        "{'descr': '<i4', 'fortran_order': 1, 'shape': (2,)}",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (2)}",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (-2,)}",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (2 3)}",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (2.0,)}",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (2,)} x",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (2,), 'more': 1}",
        "{'descr': '<i4', 'descr': '<i4', 'fortran_order': True, 'shape': (2,)}",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (99999999999999999999,)}",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (9223372036854775807, 2)}",
        "{'descr': '<i3', 'fortran_order': True, 'shape': (2,)}",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (2,"}) {
    const numpy_sample<std::int32_t> x(type_class::integer, {2});
    const status s = read(npy_of(text, "12345678"), x.view);
    EXPECT_EQ(s.code(), static_cast<int>(stat_code::header_damaged)) << text << s.message();
    EXPECT_TRUE(says(s, "byte ")) << s.message();
    EXPECT_TRUE(x.untouched());
  }
}

TEST_F(Npy, TypesThatFortranHasNotAreNamedWithAnAdvice) {
  const std::pair<const char*, const char*> types[] = {
      {"'<u4'", "x.view('i4')"},
      {"'<U3'", "np.char.encode"},
      {"'|O'", "Python objects"},
      {"'<M8[s]'", "x.view('i8')"},
      {"'<f2'", "2 bytes"},
      {"'<f16'", "long double"},
      {"'<c32'", "long double"},
      {"'|V8'", "without a type"},
      {"[('a', '<f8'), ('b', '<i4')]", "[('a', '<f8')"}};
  for (const auto& [descr, text] : types) {
    const numpy_sample<double> x(type_class::real, {2});
    const status s = read(
        npy_of("{'descr': " + std::string(descr) + ", 'fortran_order': False, 'shape': (2,), }"),
        x.view);
    EXPECT_EQ(s.code(), static_cast<int>(stat_code::kind_unsupported)) << s.message();
    EXPECT_TRUE(says(s, text)) << s.message();
  }
  const numpy_sample<std::complex<double>> quadruple(type_class::real, {2});
  EXPECT_EQ(write_npy(path("q.npy"), quadruple.view, {}).code(),
            static_cast<int>(stat_code::kind_unsupported));
}

TEST_F(Npy, OtherKindsAndShapesAreRefusedAndTheArrayStays) {
  ASSERT_EQ(write_npy(path("x.npy"), matrix().view, {}).message(), "");
  const numpy_sample<float> kind(type_class::real, {3, 4});
  const numpy_sample<double> shape(type_class::real, {4, 3});
  const numpy_sample<double> rank(type_class::real, {12});
  const status other_kind = read_npy(path("x.npy"), kind.view, {});
  const status other_shape = read_npy(path("x.npy"), shape.view, {});
  EXPECT_EQ(other_kind.code(), static_cast<int>(stat_code::kind_mismatch));
  EXPECT_TRUE(says(other_kind, "expected real32 (3, 4), found real64 (3, 4)"));
  EXPECT_EQ(other_shape.code(), static_cast<int>(stat_code::shape_mismatch));
  EXPECT_TRUE(says(other_shape, "expected real64 (4, 3), found real64 (3, 4)"));
  EXPECT_EQ(read_npy(path("x.npy"), rank.view, {}).code(),
            static_cast<int>(stat_code::shape_mismatch));
  EXPECT_TRUE(kind.untouched() && shape.untouched() && rank.untouched());
}

TEST_F(Npy, EveryCutAndEveryTrailIsRefusedAndTheArrayStays) {
  ASSERT_EQ(write_npy(path("x.npy"), matrix().view, {}).message(), "");
  const std::string whole = content(path("x.npy"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto x = numpy_sample<double>(type_class::real, {3, 4});
    const status s = read(whole.substr(0, size), x.view);
    EXPECT_EQ(s.code(),
              static_cast<int>(size < 128 ? stat_code::end_of_file : stat_code::file_size_mismatch))
        << size << s.message();
    EXPECT_TRUE(x.untouched());
  }
  const auto x = numpy_sample<double>(type_class::real, {3, 4});
  const status s = read(whole + "more", x.view);
  EXPECT_EQ(s.code(), static_cast<int>(stat_code::file_size_mismatch));
  EXPECT_TRUE(says(s, "expected 224 bytes, found 228 bytes")) << s.message();
  EXPECT_TRUE(x.untouched());
}

TEST_F(Npy, EveryDamagedByteOfTheHeaderGivesTheDataOrAFailure) {
  const auto x = matrix();
  ASSERT_EQ(write_npy(path("x.npy"), x.view, {}).message(), "");
  const std::string whole = content(path("x.npy"));
  for (std::size_t at = 0; at < 128; ++at)
    for (const int change : {1, 0x20, 0x80, 0xFF}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      const numpy_sample<double> found(type_class::real, {3, 4});
      if (read(damaged, found.view).ok())
        EXPECT_TRUE(found.values == x.values || at == 21) << at;  // '<' became the other order
      else
        EXPECT_TRUE(found.untouched()) << at;
    }
}

TEST_F(Npy, HeadersThatClaimGigabytesAllocateNothing) {
  const numpy_sample<double> x(type_class::real, {3});
  EXPECT_EQ(read(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13), x.view).code(),
            static_cast<int>(stat_code::header_damaged));
  EXPECT_EQ(read(std::string("\x93NUMPY\x04\x00\x10\x00", 10), x.view).code(),
            static_cast<int>(stat_code::header_damaged));
}

TEST_F(Npy, PipesAreReadButNotDescribed) {
  ASSERT_EQ(mkfifo(path("p.npy").c_str(), 0600), 0);
  array_info info;
  EXPECT_EQ(describe_npy(path("p.npy"), {}, info).code(),
            static_cast<int>(stat_code::argument_invalid));
  auto x = matrix();
  x.view.stride = {32, 8};
  status written;
  std::thread writer([&] { written = write_npy(path("p.npy"), x.view, {}); });
  const numpy_sample<double> found(type_class::real, {3, 4});
  const status s = read_npy(path("p.npy"), found.view, {});
  writer.join();
  EXPECT_EQ(written.message() + s.message(), "");
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(found.values[i], i % 3 * 4 + i / 3);
}

TEST_F(Npy, DescribeTellsWhereTheElementsAre) {
  ASSERT_EQ(write_npy(path("x.npy"), matrix().view, {}).message(), "");
  array_info info;
  ASSERT_EQ(describe_npy(path("x.npy"), {}, info).message(), "");
  EXPECT_TRUE(info.typed && info.type == type_class::real && info.elem_len == 8);
  EXPECT_EQ(info.array_rank, 2);
  EXPECT_EQ(info.extent[1], 4);
  EXPECT_EQ(info.data_offset, 128);
  EXPECT_EQ(info.bytes, 96U);
  EXPECT_FALSE(info.last_index_fastest);
}

TEST_F(Npy, BooleansHaveNoByteOrder) {
  for (const char* const descr : {">b1", "<b1", "|b1"})
    for (const char* const order : {"True", "False"}) {
      numpy_sample<std::int32_t> x(type_class::logical, {3, 1});
      const std::string text = std::string("{'descr': '") + descr + "', 'fortran_order': " + order +
                               ", 'shape': (3, 1), }";
      EXPECT_EQ(read(npy_of(text, std::string("\1\0\1", 3)), x.view).message(), "") << text;
      EXPECT_EQ(x.values, (std::vector<std::int32_t>{1, 0, 1})) << text;
    }
}

}  // namespace
}  // namespace headrace
