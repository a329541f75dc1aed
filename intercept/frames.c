#include "frames.h"

static int deepest(void) { return this_thread.depth < frames_deepest ? this_thread.depth : frames_deepest; }

void drop_stale_frames(struct frame *frame)
{
    for (int i = 0; i < this_thread.depth - 1 && i < frames_deepest; ++i) {
        if (this_thread.frames[i].cookie != frame->cookie) continue;
        this_thread.frames[i] = *frame;
        this_thread.depth = i + 1;
        return;
    }
}

void drop_frames_of(const void *cookie)
{
    for (int i = deepest() - 1; i >= 0; --i)
        if (this_thread.frames[i].cookie == cookie) this_thread.depth = i;
}

struct frame *unwind_to(const void *cookie)
{
    for (int i = deepest() - 1; i >= 0; --i) {
        if (this_thread.frames[i].cookie != cookie) continue;
        this_thread.depth = i + 1;
        return &this_thread.frames[i];
    }
    return NULL;
}
