// What a caller asked for beside file and array. Next: ../abi/formats.hpp passes it to a format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files.hpp"

namespace headrace {

// How the fields of a text are told apart, and what its numbers look like.
struct text_layout {
  std::string edit;    // a Fortran format or "*"; empty: rows of delimited cells
  std::string number;  // how a cell is written: empty (shortest), "hex" or an edit descriptor
  char delimiter = ',';
  char decimal = '.';
  std::string dialect;  // whose Fortran formats: see ../text/edit/edit_dialect.hpp
};

enum class byte_order { native, little, big };

// How the bytes of an array lie in a binary file, and which array of a file is meant.
struct binary_layout {
  byte_order order = byte_order::native;
  int record_marker = 4;            // bytes: 4 or 8
  std::uint64_t record_length = 0;  // bytes, direct access
  std::uint64_t record = 0;         // number of a record from 1; 0: not given
  bool checksum = false;            // write or ask for a crc32c
  bool compress = false;            // deflate, if the format can
  std::string name;                 // of an array in a file that names them
};

struct write_settings {
  sync_mode sync = sync_mode::none;
  replace_mode replace = replace_mode::whole;
  int threads = 0;  // 0: as core/threads.hpp says
  text_layout text;
  binary_layout binary;
  std::vector<std::string> header;  // column names for the first line
  int level = 0;                    // of compression; 0: the usual one
};

enum class header_rule {
  automatic,  // a first line without any number is a header
  yes,
  no,
};

struct read_settings {
  int threads = 0;
  text_layout text;
  binary_layout binary;
  header_rule header = header_rule::automatic;
  char comment = '\0';  // '\0': none
  int skip_rows = 0;
  std::vector<int> columns;               // from 1; empty: all
  std::vector<std::string> column_names;  // the same by name; one of both at most
  std::size_t column_count() const noexcept { return columns.size() + column_names.size(); }
  std::string missing;  // text/missing.hpp takes it apart; empty: not given
};

}  // namespace headrace
