/* What gfortran's generated code passes to libgfortran: the parts of its parameter blocks that we read.
 *
 * Written from the description of the layout in GCC's ioparm.def ("keep in sync with" in both halves of GCC). The first four
 * members have not moved since GCC 4.2; character lengths became size_t with libgfortran.so.5 (GCC 8).
 */
#ifndef HEADRACE_LIBGFORTRAN_H
#define HEADRACE_LIBGFORTRAN_H

#include <stddef.h>
#include <stdint.h>

struct block_common {
    uint32_t flags;
    int32_t unit;
    const char *file;
    int32_t line;
};

enum { block_outcome = 3u }; /* of flags, afterwards: 0 done, 1 error, 2 end of file, 3 end of record */

enum open_flags {
    open_has_recl = 1u << 7,
    open_has_file = 1u << 8,
    open_has_status = 1u << 9,
    open_has_access = 1u << 10,
    open_has_form = 1u << 11,
    open_has_position = 1u << 13,
    open_has_action = 1u << 14,
    open_has_convert = 1u << 17,
    /* DELIM=, DECIMAL=, ENCODING=, ROUND=, SIGN=, ASYNCHRONOUS=, CARRIAGECONTROL=, SHARE= */
    open_changes_reading = 1u << 12 | 1u << 16, /* BLANK=, PAD= */
    open_has_rarer_words = 1u << 15 | 1u << 18 | 1u << 19 | 1u << 20 | 1u << 21 | 1u << 22 | 1u << 25 | 1u << 26
};

enum transfer_flags {
    transfer_is_list_directed = 1u << 7,
    transfer_has_rec = 1u << 9,
    transfer_has_format = 1u << 12,
    transfer_has_advance = 1u << 13,
    transfer_is_internal = 1u << 14,
    transfer_has_namelist = 1u << 15,
    transfer_has_pos = 1u << 17,
    transfer_has_id = 1u << 18
};

/* Texts come as pointer and length, in turns of the two. */
#define BLOCKS_OF(version, length_type)                                                                 \
    struct block_head_##version {                                                                       \
        uint32_t flags;                                                                                 \
        int32_t unit;                                                                                   \
        const char *source;                                                                             \
        int32_t line;                                                                                   \
        length_type iomsg_length; /* may stand right behind the line: no struct of its own before it */ \
        char *iomsg;                                                                                    \
        int32_t *iostat;                                                                                \
    };                                                                                                  \
    struct block_open_##version {                                                                       \
        struct block_head_##version head;                                                               \
        length_type record_length_in;                                                                   \
        length_type file_length;                                                                        \
        char *file;                                                                                     \
        char *status;                                                                                   \
        length_type status_length;                                                                      \
        length_type access_length;                                                                      \
        char *access;                                                                                   \
        char *form;                                                                                     \
        length_type form_length;                                                                        \
        length_type blank_length;                                                                       \
        char *blank;                                                                                    \
        char *position;                                                                                 \
        length_type position_length;                                                                    \
        length_type action_length;                                                                      \
        char *action;                                                                                   \
        char *delim;                                                                                    \
        length_type delim_length;                                                                       \
        length_type pad_length;                                                                         \
        char *pad;                                                                                      \
        char *convert;                                                                                  \
        length_type convert_length;                                                                     \
    };                                                                                                  \
    struct block_transfer_##version {                                                                   \
        struct block_head_##version head;                                                               \
        int64_t record;                                                                                 \
        int64_t *size, *io_length;                                                                      \
        void *internal_descriptor;                                                                      \
        char *format;                                                                                   \
        length_type format_length;                                                                      \
        length_type advance_length;                                                                     \
        char *advance;                                                                                  \
    };
BLOCKS_OF(5, int64_t)
BLOCKS_OF(3, int32_t) /* .so.3 and .so.4 */

_Static_assert(sizeof(void *) != 8 || offsetof(struct block_open_5, file) == 64, "as in GCC 8 to 15");
_Static_assert(sizeof(void *) != 8 || offsetof(struct block_open_3, file) == 48, "as in GCC 4.4 to 7");

/* The layout of what the program passes, by the version in the library's name: 5, or 3 for .so.3 and .so.4. A static one is taken
 * for .so.5. */
int libgfortran_layout(const char *object);

#define REAL(type, name) REAL_CALL(type, name, "_gfortran_" #name) /* with real_calls.h */

#endif
