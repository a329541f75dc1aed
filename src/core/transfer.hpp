// Whole arrays between memory and files, in large blocks, whatever their strides and byte order.
#pragma once

#include <cstdint>
#include <functional>

#include "array_view.hpp"
#include "files.hpp"
#include "settings.hpp"

namespace headrace {

// What happens to the bytes on their way.
struct transfer_settings {
  std::size_t swapped_word = 0;  // bytes of the words to turn round (byte_swap.hpp); 0: none
  std::uint32_t* crc = nullptr;  // crc32c of the bytes as they are in the file; null: none
};

// Bytes of the words that a byte order is about: half of a complex, 1 for characters.
std::size_t word_bytes(const array_view& array) noexcept;

// Turns words round if the order is not the machine's; no checksum.
transfer_settings transfer_in_order(byte_order order, const array_view& array) noexcept;

using take_bytes = std::function<status(const char* data, std::size_t bytes)>;
using fill_bytes = std::function<status(char* data, std::size_t bytes)>;

// Hands all elements in element order to take, in blocks.
// Precondition of all: byte_count(array) has a value.
status transfer_out(const array_view& array, const transfer_settings& settings,
                    const take_bytes& take);

// Fills all elements in element order with what fill delivers: it is called for blocks, each of
// which it must fill whole.
status transfer_in(const array_view& array, const transfer_settings& settings,
                   const fill_bytes& fill);

// Appends all elements in element order.
status write_elements(file_writer& file, const array_view& array,
                      const transfer_settings& settings = {});

// Fills all elements in element order.
status read_elements(file_reader& file, const array_view& array,
                     const transfer_settings& settings = {});

// Fills all elements with the bytes from an offset on; the file is not named when it ends before.
status read_elements_at(const file_reader& file, std::uint64_t offset, const array_view& array,
                        const transfer_settings& settings = {});

}  // namespace headrace
