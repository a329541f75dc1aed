// Zstandard (RFC 8878) through libzstd.
#include "codecs.hpp"

#if defined(HEADRACE_HAVE_ZSTD)

#include <zstd.h>

#include <algorithm>
#include <cstdint>

namespace headrace {
namespace {

// Each holds a job or two and their compressed form: 8 MiB without a limit, times all threads.
constexpr int most_workers = 6;
constexpr int job_bytes = 1 << 20;

struct release {
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
};

// Moves the buffers on by what the library used.
void move_on(codec_buffers& buffers, const ZSTD_inBuffer& input,
             const ZSTD_outBuffer& output) noexcept {
  buffers.input += input.pos;
  buffers.input_bytes -= input.pos;
  buffers.output += output.pos;
  buffers.output_bytes -= output.pos;
}

class zstd_decoder final : public stream_decoder {
 public:
  bool ready() const noexcept { return context_ != nullptr; }
  bool complete() const noexcept override { return complete_; }

  const char* decode(codec_buffers& buffers) noexcept override {
    if (between_frames_ && buffers.input_bytes == 0) return nullptr;
    if (between_frames_ && buffers.input_bytes >= 4 && !may_begin_zstd(buffers.input))
      return "Unknown frame descriptor";
    ZSTD_inBuffer input{buffers.input, buffers.input_bytes, 0};
    ZSTD_outBuffer output{buffers.output, buffers.output_bytes, 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &output, &input);
    move_on(buffers, input, output);
    if (ZSTD_isError(result) != 0) return ZSTD_getErrorName(result);
    complete_ = result == 0;
    between_frames_ = complete_;
    return nullptr;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, release> context_{ZSTD_createDCtx()};
  bool complete_ = false;
  bool between_frames_ = true;
};

class zstd_encoder final : public stream_encoder {
 public:
  zstd_encoder(int level, int threads) noexcept {
    if (!ready()) return;
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    if (threads > 1) use_threads(std::min(threads, most_workers));
  }

  bool ready() const noexcept { return context_ != nullptr; }

  const char* encode(codec_buffers& buffers, bool last, bool& finished) noexcept override {
    ZSTD_inBuffer input{buffers.input, buffers.input_bytes, 0};
    ZSTD_outBuffer output{buffers.output, buffers.output_bytes, 0};
    const ZSTD_EndDirective directive = last ? ZSTD_e_end : ZSTD_e_continue;
    const std::size_t result = ZSTD_compressStream2(context_.get(), &output, &input, directive);
    move_on(buffers, input, output);
    finished = last && result == 0;
    return ZSTD_isError(result) != 0 ? ZSTD_getErrorName(result) : nullptr;
  }

 private:
  // A libzstd without threads refuses this and compresses in the calling thread.
  void use_threads(int workers) noexcept {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_nbWorkers, workers);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_jobSize, job_bytes);
  }

  std::unique_ptr<ZSTD_CCtx, release> context_{ZSTD_createCCtx()};
};

template <class Codec>
std::unique_ptr<Codec> only_if_ready(std::unique_ptr<Codec> codec) noexcept {
  if (!codec->ready()) codec.reset();
  return codec;
}

}  // namespace

std::unique_ptr<stream_decoder> make_zstd_decoder() {
  return only_if_ready(std::make_unique<zstd_decoder>());
}

std::unique_ptr<stream_encoder> make_zstd_encoder(int level, int threads) {
  return only_if_ready(std::make_unique<zstd_encoder>(level, threads));
}

// The formats before version 0.8 have other marks and no checksums: libzstd takes them only when
// the mark comes in one piece, here they are always refused.
bool may_begin_zstd(const char* bytes) noexcept {
  std::uint32_t mark = 0;
  for (int i = 3; i >= 0; --i) mark = mark << 8 | static_cast<unsigned char>(bytes[i]);
  return mark == ZSTD_MAGICNUMBER ||
         (mark & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

bool has_zstd() noexcept {
  return true;
}

}  // namespace headrace

#else

namespace headrace {

std::unique_ptr<stream_decoder> make_zstd_decoder() {
  return nullptr;
}

std::unique_ptr<stream_encoder> make_zstd_encoder(int /*level*/, int /*threads*/) {
  return nullptr;
}

bool may_begin_zstd(const char* /*bytes*/) noexcept {
  return false;
}

bool has_zstd() noexcept {
  return false;
}

}  // namespace headrace

#endif
