// The statements in progress of a thread.
#include "frame.hpp"

#include <pthread.h>

#include "floating_point.hpp"

__thread char run_frames[sizeof(headrace::run::thread_frames)] __attribute__((tls_model("initial-exec"), aligned(64)));

namespace headrace::run
{

frame *current_frame_of(const void *block) noexcept
{
    if (frames_here().depth <= 0 || frames_here().depth > deepest_frame) return nullptr;
    frame &one = frames_here().frames[frames_here().depth - 1];
    return one.block == block ? &one : nullptr;
}

frame *innermost_frame() noexcept
{
    return frames_here().depth > 0 && frames_here().depth <= deepest_frame ? &frames_here().frames[frames_here().depth - 1]
                                                                           : nullptr;
}

const void *this_thread_identity() noexcept { return run_frames; }

bool is_in_statement_of(std::int32_t unit_number) noexcept
{
    for (int i = 0; i < frames_here().depth && i < deepest_frame; ++i) {
        const frame &one = frames_here().frames[i];
        if (one.mode == frame_mode::left && one.left_unit == unit_number) return true;
    }
    return false;
}

frame *frame_with(const unit &to) noexcept
{
    for (int i = 0; i < frames_here().depth && i < deepest_frame; ++i)
        if (frames_here().frames[i].to == &to && frames_here().frames[i].mode != frame_mode::left) return &frames_here().frames[i];
    return nullptr;
}

void release(unit &to) noexcept
{
    const bool is_locked = to.is_locked;  // with no owner it may be another thread's lock
    to.owner.release(nullptr);
    if (is_locked) unlock_unit(to);
}

bool is_alive(const frame &one) noexcept
{
    const transfer_block &block = *one.block;
    if (one.mode == frame_mode::waits) return block.file == one.waiting.file && block.line == one.waiting.line;
    return one.where == nullptr || (block.file == one.where->file && block.line == one.where->line);
}

bool formats_unusual(const frame &one) noexcept
{
    return one.mode == frame_mode::counted && is_default_state(floating_point_state());
}

const char *why_left(bool is_known, const unit &one) noexcept
{
    if (!is_as_by_default(floating_point_state())) return "a rounding mode is set, or a trap for inexact results or underflow";
    if (!is_known) return "a namelist, or a word of the statement that is not handled";
    if (one.why_left != nullptr) return one.why_left;
    if (one.state.load(std::memory_order_relaxed) == unit_state::resting) return "records that go one by one, without reals";
    return "the first on its unit, or behind a statement of another kind";
}

namespace
{

// Of this frame and those inside of it nothing is left.
void drop_from(int first) noexcept
{
    thread_frames &here = frames_here();
    const int last = here.depth < deepest_frame ? here.depth : deepest_frame;
    for (int k = last - 1; k >= first; --k) {
        frame &gone = here.frames[k];
        if (gone.mode == frame_mode::left || gone.to == nullptr) continue;
        // Of bytes nothing is counted before the end.
        if (gone.mode == frame_mode::text || gone.mode == frame_mode::counted) gone.text.drop();
        release(*gone.to);
    }
    here.depth = first;
}

// A thread takes its memory with it.
pthread_key_t at_thread_end;
bool has_key;

void give_memory_of_thread(void *) noexcept
{
    thread_frames &here = frames_here();
    drop_from(0);
    for (int i = 0; i < deepest_frame; ++i) {
        here.frames[i].log.give_memory_back();
        here.frames[i].values_from.give_memory_back();
        here.scratch[i].give_back();
    }
    here.is_registered = false;
}

}  // namespace

void drop_inside(int place) noexcept { drop_from(place + 1); }

void frames_start() noexcept { has_key = pthread_key_create(&at_thread_end, give_memory_of_thread) == 0; }

// A longjmp out of an I/O list leaves frames that nobody ends: their block is another statement's now, or no block any more.
void drop_stale(const void *block) noexcept
{
    for (int i = 0; i < frames_here().depth && i < deepest_frame; ++i)
        if (frames_here().frames[i].block == block || !is_alive(frames_here().frames[i])) return drop_from(i);
}

frame *push_frame(transfer_block *block) noexcept
{
    thread_frames &here = frames_here();
    if (__builtin_expect(here.depth > 0, 0)) drop_stale(block);
    if (__builtin_expect(!here.is_registered && has_key, 0)) {
        here.is_registered = true;
        pthread_setspecific(at_thread_end, run_frames);
    }
    const int place = here.depth++;
    if (__builtin_expect(place >= deepest_frame, 0)) return nullptr;
    frame &one = here.frames[place];
    become_left(one, block, INT32_MIN);
    return &one;
}

void pop_frame() noexcept
{
    if (frames_here().depth > 0) --frames_here().depth;
}

}  // namespace headrace::run
