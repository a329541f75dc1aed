#include "sink.hpp"

#include "../core/threads.hpp"

namespace headrace {

status text_sink::open(const std::string& file, bool append, int level) {
  if (status s = check_level(file, level); !s.ok()) return std::move(s).in_file(file);
  const replace_mode mode = append ? replace_mode::append : replace_mode::whole;
  if (status s = writer_.open(file, mode); !s.ok()) return s;
  if (status s = look_at_old_text(writer_, file, old_); !s.ok()) return s;
  const compression kind = compression_of(file);
  if (kind == compression::none) return {};
  if (status s = open_compressor(plain_, kind, level, thread_count(0), file, compressor_); !s.ok())
    return s;
  sink_ = compressor_.get();
  return {};
}

status text_sink::end_old_line() {
  return old_.ends_within_line() ? sink_->write("\n", 1) : status();
}

status text_sink::finish() {
  if (compressor_)
    if (status s = compressor_->finish(); !s.ok()) return s;
  return writer_.finish(sync_mode::none);
}

}  // namespace headrace
