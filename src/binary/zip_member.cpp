#include "zip_member.hpp"

#include <algorithm>
#include <utility>

#include "../core/buffer.hpp"

#if defined(HEADRACE_HAVE_ZLIB)
#include <zlib.h>
#endif

namespace headrace {

#if defined(HEADRACE_HAVE_ZLIB)

namespace {

constexpr std::size_t block_bytes = std::size_t{256} << 10;  // stays in the cache for its checksum
constexpr int raw_deflate = -15;                             // the largest window, no wrapper
constexpr unsigned stored = 0;
constexpr unsigned deflated = 8;
constexpr unsigned encrypted_flag = 1;

status damaged(const zip_member& member, const std::string& what) {
  return status::failure(stat_code::compression_damaged,
                         "the member \"" + member.name.substr(0, 200) + "\" " + what)
      .advise("check that the file was copied whole, or get it again");
}

status check_crc(const zip_member& member, std::uint32_t crc) {
  if (crc == member.crc) return {};
  return status::failure(
             stat_code::checksum_mismatch,
             "the bytes of \"" + member.name.substr(0, 200) + "\" are not those that were written")
      .expected("crc32 " + std::to_string(member.crc), std::to_string(crc))
      .advise("get the file again; what was read cannot be trusted");
}

class stored_reader final : public zip_member_reader {
 public:
  stored_reader(const file_reader& file, const zip_member& member, std::uint64_t data_at) noexcept
      : file_(file), member_(member), at_(data_at), left_(member.bytes) {}

  status read(char* data, std::size_t bytes) override {
    if (bytes > left_) return damaged(member_, "ends too early");
    left_ -= bytes;
    while (bytes > 0) {
      const std::size_t block = std::min(bytes, block_bytes);
      std::size_t count = 0;
      if (status s = file_.read_at(at_, data, block, count); !s.ok()) return s;
      if (count < block) return damaged(member_, "ends too early").at_byte(at_ + count);
      crc_ = zip_crc(crc_, data, block);
      at_ += block, data += block, bytes -= block;
    }
    return {};
  }
  status finish() override {
    if (left_ > 0) return damaged(member_, "is longer than its array");
    return check_crc(member_, crc_);
  }

 private:
  const file_reader& file_;
  const zip_member& member_;
  std::uint64_t at_;
  std::uint64_t left_;
  std::uint32_t crc_ = 0;
};

class deflated_reader final : public zip_member_reader {
 public:
  deflated_reader(const file_reader& file, const zip_member& member, std::uint64_t data_at)
      : file_(file), member_(member), at_(data_at), left_(member.packed_bytes) {
    input_.reserve(block_bytes);
    ready_ = inflateInit2(&stream_, raw_deflate) == Z_OK;
  }
  ~deflated_reader() override {
    if (ready_) inflateEnd(&stream_);
  }
  deflated_reader(const deflated_reader&) = delete;
  deflated_reader& operator=(const deflated_reader&) = delete;

  status read(char* data, std::size_t bytes) override {
    if (!ready_) throw std::bad_alloc();
    while (bytes > 0) {
      const std::size_t block = std::min(bytes, block_bytes);
      if (status s = inflate_block(data, block); !s.ok()) return s;
      crc_ = zip_crc(crc_, data, block);
      data += block, bytes -= block;
    }
    return {};
  }
  // The end mark may still be to come.
  status finish() override {
    char beyond = 0;
    while (!ended_) {
      if (status s = step(&beyond, 1); !s.ok()) return s;
      if (stream_.avail_out == 0) return damaged(member_, "is longer than its array");
    }
    if (left_ > 0 || stream_.avail_in > 0) return damaged(member_, "goes on after its end");
    return check_crc(member_, crc_);
  }

 private:
  status inflate_block(char* data, std::size_t bytes) {
    while (bytes > 0) {
      if (ended_) return damaged(member_, "ends too early");
      if (status s = step(data, bytes); !s.ok()) return s;
      data += bytes - stream_.avail_out;
      bytes = stream_.avail_out;
    }
    return {};
  }

  // One call of inflate, with more input when there is none.
  status step(char* data, std::size_t bytes) {
    if (stream_.avail_in == 0 && left_ > 0) {
      const auto block = static_cast<std::size_t>(std::min<std::uint64_t>(left_, block_bytes));
      std::size_t count = 0;
      if (status s = file_.read_at(at_, input_.data(), block, count); !s.ok()) return s;
      if (count < block) return damaged(member_, "ends too early").at_byte(at_ + count);
      at_ += block, left_ -= block;
      stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
      stream_.avail_in = static_cast<uInt>(block);
    }
    stream_.next_out = reinterpret_cast<Bytef*>(data);
    stream_.avail_out = static_cast<uInt>(bytes);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    ended_ = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result == Z_BUF_ERROR && stream_.avail_in == 0 && left_ == 0)
      return damaged(member_, "ends too early");
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) return {};
    return damaged(member_, std::string("is damaged: ") +
                                (stream_.msg != nullptr ? stream_.msg : "it needs a dictionary"));
  }

  const file_reader& file_;
  const zip_member& member_;
  std::uint64_t at_;
  std::uint64_t left_;
  buffer input_;
  z_stream stream_{};
  bool ready_ = false;
  bool ended_ = false;
  std::uint32_t crc_ = 0;
};

class zlib_deflater final : public zip_deflater {
 public:
  zlib_deflater(take_packed take, int level) : take_(std::move(take)) {
    output_.reserve(block_bytes);
    ready_ = deflateInit2(&stream_, level == 0 ? Z_DEFAULT_COMPRESSION : level, Z_DEFLATED,
                          raw_deflate, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    if (!ready_) throw std::bad_alloc();
  }
  ~zlib_deflater() override {
    if (ready_) deflateEnd(&stream_);
  }
  zlib_deflater(const zlib_deflater&) = delete;
  zlib_deflater& operator=(const zlib_deflater&) = delete;

  status write(const char* data, std::size_t bytes) override {
    while (bytes > 0) {
      const std::size_t block = std::min(bytes, block_bytes);
      // zlib does not write to its input, whatever its type says.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data));
      stream_.avail_in = static_cast<uInt>(block);
      while (stream_.avail_in > 0)
        if (status s = step(Z_NO_FLUSH); !s.ok()) return s;
      data += block, bytes -= block;
    }
    return {};
  }
  status finish() override {
    stream_.next_in = nullptr;
    stream_.avail_in = 0;
    while (!ended_)
      if (status s = step(Z_FINISH); !s.ok()) return s;
    return {};
  }

 private:
  status step(int flush) {
    stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
    stream_.avail_out = static_cast<uInt>(block_bytes);
    ended_ = deflate(&stream_, flush) == Z_STREAM_END;
    return take_(output_.data(), block_bytes - stream_.avail_out);
  }

  take_packed take_;
  buffer output_;
  z_stream stream_{};
  bool ready_ = false;
  bool ended_ = false;
};

}  // namespace

bool has_zip() noexcept {
  return true;
}

std::uint32_t zip_crc(std::uint32_t crc, const char* data, std::size_t bytes) noexcept {
  return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(data), bytes));
}

status open_zip_member(const file_reader& file, const zip_member& member, std::uint64_t data_at,
                       std::unique_ptr<zip_member_reader>& reader) {
  const std::string name = "the member \"" + member.name.substr(0, 200) + "\" ";
  if ((member.flags & encrypted_flag) != 0)
    return status::failure(stat_code::kind_unsupported, name + "is encrypted")
        .advise("write the archive again without a password");
  if (member.method == stored && member.packed_bytes != member.bytes)
    return damaged(member, "is stored, but its two sizes differ");
  if (member.method == stored)
    reader = std::make_unique<stored_reader>(file, member, data_at);
  else if (member.method == deflated)
    reader = std::make_unique<deflated_reader>(file, member, data_at);
  else
    return status::failure(stat_code::kind_unsupported, name + "is compressed by the zip method " +
                                                            std::to_string(member.method))
        .expected("0 (stored) or 8 (deflated)", std::to_string(member.method))
        .advise("write it with numpy.savez or numpy.savez_compressed");
  return {};
}

std::unique_ptr<zip_deflater> make_zip_deflater(take_packed take, int level) {
  return std::make_unique<zlib_deflater>(std::move(take), level);
}

#else

bool has_zip() noexcept {
  return false;
}

std::uint32_t zip_crc(std::uint32_t crc, const char* /*data*/, std::size_t /*bytes*/) noexcept {
  return crc;
}

status open_zip_member(const file_reader& /*file*/, const zip_member& /*member*/,
                       std::uint64_t /*data_at*/, std::unique_ptr<zip_member_reader>& /*reader*/) {
  return status::failure(stat_code::compression_unavailable, "zip archives need zlib");
}

std::unique_ptr<zip_deflater> make_zip_deflater(take_packed /*take*/, int /*level*/) {
  return nullptr;
}

#endif

}  // namespace headrace
