#include "record_convert.hpp"

#include <algorithm>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "../core/block_exchange.hpp"
#include "../core/buffer.hpp"
#include "../core/byte_swap.hpp"
#include "record_sinks.hpp"
#include "record_sources.hpp"

namespace headrace {
namespace {

// Fits the cache, and is a whole number of every word.
constexpr std::size_t block_bytes = std::size_t{256} << 10;
// From here on a second thread and its buffers pay.
constexpr std::uint64_t long_run = std::uint64_t{16} << 20;
constexpr std::uint64_t progress_bytes = std::uint64_t{16} << 20;

status no_words(std::uint64_t number, std::uint64_t bytes, std::size_t word) {
  return status::failure(stat_code::record_size_mismatch,
                         "a record does not hold a whole number of words")
      .expected("words of " + bytes_text(word),
                bytes_text(bytes) + " in record " + std::to_string(number))
      .advise("describe its items: their bytes and words");
}

status other_length(std::uint64_t number, std::uint64_t bytes, std::uint64_t described) {
  return status::failure(stat_code::record_size_mismatch, "a record does not fit its description")
      .expected(bytes_text(described), bytes_text(bytes) + " in record " + std::to_string(number))
      .advise("the pattern of records is another one: headrace inspect shows it");
}

// What is in a record of so many bytes: the rest gets its length.
status runs_of(const std::vector<word_run>& runs, std::uint64_t number, std::uint64_t bytes,
               std::vector<word_run>& result) {
  // check() has seen that it does not overflow.
  std::uint64_t described = sum_of(runs).value_or(0);
  result = runs;
  for (word_run& run : result) {
    if (run.bytes == 0 && described <= bytes) {
      run.bytes = bytes - described;
      described = bytes;
    }
    if (run.bytes % run.word_bytes != 0) return no_words(number, run.bytes, run.word_bytes);
  }
  return described == bytes ? status() : other_length(number, bytes, described);
}

class converter {
 public:
  converter(const convert_settings& settings, record_source& source, record_sink& sink)
      : settings_(settings),
        source_(source),
        sink_(sink),
        swaps_(is_swapped(settings.from.dialect.order) != is_swapped(settings.to.dialect.order)) {
    block_.reserve(block_bytes);
  }

  status run(std::uint64_t& records) {
    for (;;) {
      bool found = false;
      std::uint64_t bytes = 0;
      records = number_;
      if (status s = source_.next(found, bytes); !s.ok() || !found) return s;
      if (status s = convert(bytes); !s.ok()) return s;
      if (status s = tell(); !s.ok()) return s;
    }
  }

 private:
  status convert(std::uint64_t bytes) {
    if (const std::size_t count = source_.read_equal_records(block_.data(), block_bytes); count > 0)
      return convert_block(count, static_cast<std::size_t>(bytes));
    ++number_;
    if (status s = sink_.begin(bytes); !s.ok()) return s;
    if (!swaps_) {
      if (status s = copy(bytes, 1); !s.ok()) return s;
      return sink_.end();
    }
    if (status s = describe(number_, bytes); !s.ok()) return s;
    for (const word_run& run : runs_)
      if (status s = copy(run.bytes, run.word_bytes); !s.ok()) return s;
    return sink_.end();
  }

  status describe(std::uint64_t number, std::uint64_t bytes) {
    const record_pattern& pattern = settings_.pattern;
    return runs_of(pattern[(number - 1) % pattern.size()], number, bytes, runs_);
  }

  status copy(std::uint64_t bytes, std::size_t word) {
    return bytes < long_run ? copy_in_blocks(bytes, word) : copy_in_two_threads(bytes, word);
  }

  status copy_in_blocks(std::uint64_t bytes, std::size_t word) {
    while (bytes > 0) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, block_bytes));
      if (status s = source_.read(block_.data(), part); !s.ok()) return s;
      if (word > 1) swap_bytes(block_.data(), block_.data(), part / word, word);
      if (status s = sink_.put(block_.data(), part); !s.ok()) return s;
      if (status s = tell(); !s.ok()) return s;
      bytes -= part;
    }
    return {};
  }

  // Reading and turning round goes on while the block before is written.
  status copy_in_two_threads(std::uint64_t bytes, std::size_t word) {
    block_exchange exchange;
    std::uint64_t done = source_.done();
    std::thread reader;
    try {
      reader = std::thread(
          [&] { exchange.end(as_status([&] { return fill(exchange, bytes, word); })); });
    } catch (const std::system_error&) {  // no thread can be started
      return copy_in_blocks(bytes, word);
    }
    byte_block block;
    while (exchange.take_full(block)) {
      done += block.bytes;
      status written = as_status([&] { return sink_.put(block.data.get(), block.bytes); });
      if (written.ok()) written = tell(done);
      exchange.give_empty(std::move(block));
      if (written.ok()) continue;
      exchange.refuse(std::move(written));
      break;
    }
    reader.join();
    return exchange.result();
  }

  status fill(block_exchange& exchange, std::uint64_t bytes, std::size_t word) {
    byte_block block;
    while (bytes > 0 && exchange.take_empty(block)) {
      block.bytes =
          static_cast<std::size_t>(std::min<std::uint64_t>(bytes, block_exchange::block_bytes));
      char* const data = block.data.get();
      if (status s = source_.read(data, block.bytes); !s.ok()) return s;
      if (word > 1) swap_bytes(data, data, block.bytes / word, word);
      bytes -= block.bytes;
      exchange.give_full(std::move(block));
    }
    return {};
  }

  status convert_block(std::size_t count, std::size_t bytes) {
    if (swaps_) {
      if (status s = swap_block(count, bytes); !s.ok()) return s;
    } else {
      number_ += count;
    }
    return sink_.put_records(block_.data(), count, bytes);
  }

  status swap_block(std::size_t count, std::size_t bytes) {
    const bool alike = settings_.pattern.size() == 1;
    if (alike) {
      if (status s = describe(number_ + 1, bytes); !s.ok()) return s;
      if (runs_.size() == 1) {
        const std::size_t word = runs_[0].word_bytes;
        if (word > 1) swap_bytes(block_.data(), block_.data(), count * bytes / word, word);
        number_ += count;
        return {};
      }
    }
    char* at = block_.data();
    for (std::size_t i = 0; i < count; ++i) {
      ++number_;
      if (!alike)
        if (status s = describe(number_, bytes); !s.ok()) return s;
      for (const word_run& run : runs_) {
        const auto size = static_cast<std::size_t>(run.bytes);
        if (run.word_bytes > 1) swap_bytes(at, at, size / run.word_bytes, run.word_bytes);
        at += size;
      }
    }
    return {};
  }

  status tell() { return tell(source_.done()); }

  status tell(std::uint64_t done) {
    if (!settings_.progress || done < told_ + progress_bytes) return {};
    told_ = done;
    if (settings_.progress(done, source_.total())) return {};
    return status::failure(stat_code::interrupted, "the conversion was interrupted")
        .advise("no file was written; start again");
  }

  const convert_settings& settings_;
  record_source& source_;
  record_sink& sink_;
  bool swaps_;
  buffer block_;
  std::vector<word_run> runs_;  // of the present record
  std::uint64_t number_ = 0;    // of records that are done
  std::uint64_t told_ = 0;
};

status check(const convert_settings& settings) {
  const bool swaps =
      is_swapped(settings.from.dialect.order) != is_swapped(settings.to.dialect.order);
  if (swaps && settings.pattern.empty())
    return status::failure(stat_code::argument_invalid,
                           "words cannot be swapped without their length")
        .advise("say what the records hold");
  for (const record_layout* layout : {&settings.from, &settings.to})
    if (layout->form == record_form::direct && layout->record_length == 0)
      return status::failure(stat_code::option_unknown, "direct access needs record_length=")
          .advise("give the bytes of a record");
  for (const auto& runs : settings.pattern) {
    if (!sum_of(runs))
      return status::failure(stat_code::argument_invalid,
                             "the described bytes of a record are more than any file has")
          .advise("check the bytes of each run of words");
    for (const word_run& run : runs)
      if (run.word_bytes == 0 || run.word_bytes > 16 || block_bytes % run.word_bytes != 0)
        return status::failure(
                   stat_code::argument_invalid,
                   "words have 1, 2, 4, 8 or 16 bytes, not " + std::to_string(run.word_bytes))
            .advise("a complex number is two words");
  }
  return {};
}

}  // namespace

std::optional<std::uint64_t> sum_of(const std::vector<word_run>& runs) noexcept {
  std::uint64_t bytes = 0;
  for (const word_run& run : runs)
    if (__builtin_add_overflow(bytes, run.bytes, &bytes)) return std::nullopt;
  return bytes;
}

status convert_records(const std::string& from, const std::string& to,
                       const convert_settings& settings, std::uint64_t& records) {
  std::unique_ptr<record_source> source;
  std::unique_ptr<record_sink> sink;
  records = 0;
  if (status s = check(settings); !s.ok()) return std::move(s).in_file_once(from);
  if (status s = open_source(from, settings.from, settings.pattern, source); !s.ok()) return s;
  if (status s = open_sink(to, settings.to, settings.sync, sink); !s.ok()) return s;
  converter work(settings, *source, *sink);
  if (status s = work.run(records); !s.ok()) return std::move(s).in_file_once(from);
  return sink->close();
}

}  // namespace headrace
