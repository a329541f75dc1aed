/* gfortran: the items of I/O lists, one call each, and the variables of namelists. Statements: libgfortran.c. */
#define _GNU_SOURCE
#include "../frames.h"
#include "../real_calls.h"
#include "../run/run.h"
#include "families.h"
#include "libgfortran.h"

/* ---- items ---- */

/* transfer_x_write is a jump through the PLT to transfer_x: only the outer one counts. `taken`: by `headrace run`. */
#define WITHOUT_PARENTHESES(...) __VA_ARGS__
#define ITEM(name, direct, parameters, arguments, elements, bytes, kept, taken)                                         \
    DECLARE_KEPT(name);                                                                                                 \
    DECLARE_KEPT(direct);                                                                                               \
    static __attribute__((noinline)) void pass_##name(WITHOUT_PARENTHESES parameters, const void *caller)               \
    {                                                                                                                   \
        struct frame *frame = current_frame();                                                                          \
        if (LIKELY(!frame || frame->inside_item || run_own_statements)) {                                               \
            if ((kept) || (taken)) return;                                                                              \
            REAL_CALL_KEPT(void parameters, direct, "_gfortran_" #direct, caller); /* what it jumps to, with us once */ \
            real_##direct arguments;                                                                                    \
            return;                                                                                                     \
        }                                                                                                               \
        REAL_CALL_KEPT(void parameters, name, "_gfortran_" #name, caller);                                              \
        const int layout = call_##name->layout;                                                                         \
        (void)layout;                                                                                                   \
        count_item(frame, elements, bytes);                                                                             \
        frame->inside_item = 1;                                                                                         \
        if (!(kept) && !(taken)) real_##name arguments;                                                                 \
        frame->inside_item = 0;                                                                                         \
    }                                                                                                                   \
    static __attribute__((noinline)) void take_##name(WITHOUT_PARENTHESES parameters, const void *caller)               \
    {                                                                                                                   \
        if (taken) return;                                                                                              \
        REAL_CALL_KEPT(void parameters, direct, "_gfortran_" #direct, caller);                                          \
        real_##direct arguments;                                                                                        \
    }                                                                                                                   \
    EXPORTED void _gfortran_##name parameters                                                                           \
    {                                                                                                                   \
        const void *const caller = __builtin_return_address(0);                                                         \
        if (LIKELY(!intercept_active)) {                                                                                \
            if (kept) return;                                                                                           \
            if (!run_has_items()) JUMP_IF_KNOWN(kept_##direct, void parameters, caller, arguments);                     \
            take_##name(WITHOUT_PARENTHESES arguments, caller);                                                         \
            return;                                                                                                     \
        }                                                                                                               \
        pass_##name(WITHOUT_PARENTHESES arguments, caller);                                                             \
    }
/* A program that is linked with the object of the trace has only the functions that it calls. */
#ifdef HEADRACE_RUN
#define ITEMS(name, parameters, arguments, elements, bytes, got, read, kept, written) \
    ITEM(name, name, parameters, arguments, elements, bytes, got, read)               \
    ITEM(name##_write, name, parameters, arguments, elements, bytes, kept, written)
#else
#define ITEMS(name, parameters, arguments, elements, bytes, got, read, kept, written) \
    ITEM(name, name, parameters, arguments, elements, bytes, 0, read)                 \
    ITEM(name##_write, name##_write, parameters, arguments, elements, bytes, 0, written)
#endif

/* Of a type that it does not know: the run time goes on with the statement. */
static int run_lets_go(void *block)
{
    if (run_is_inside()) run_leaves_statement(block);
    return 0;
}

static int run_lets_read_go(void *block)
{
    if (run_is_inside()) run_leaves_read(block);
    return 0;
}

/* real(10) takes 16 bytes in memory */
static inline uint64_t real_bytes(int kind) { return kind == 10 ? 16 : (uint64_t)kind; }
static inline uint64_t character_length(int64_t length, int layout) { return (uint64_t)(layout == 5 ? length : (int32_t)length); }

ITEMS(transfer_integer, (void *block, void *item, int kind), (block, item, kind), 1, (uint64_t)kind,
      run_gets_number(block, item, kind), run_is_active &&run_gets_scalar(block, item, 1, kind),
      run_keeps_scalar(block, item, 1, kind), run_is_active &&run_puts_scalar(block, item, 1, kind))
ITEMS(transfer_unsigned, (void *block, void *item, int kind), (block, item, kind), 1, (uint64_t)kind, 0, run_lets_read_go(block), 0,
      run_lets_go(block))
ITEMS(transfer_logical, (void *block, void *item, int kind), (block, item, kind), 1, (uint64_t)kind,
      run_gets_number(block, item, kind), run_is_active &&run_gets_scalar(block, item, 2, kind),
      run_keeps_scalar(block, item, 2, kind), run_is_active &&run_puts_scalar(block, item, 2, kind))
ITEMS(transfer_real, (void *block, void *item, int kind), (block, item, kind), 1, real_bytes(kind),
      run_gets_number(block, item, kind), run_is_active &&run_gets_scalar(block, item, 3, kind),
      run_keeps_scalar(block, item, 3, kind), run_is_active &&run_puts_scalar(block, item, 3, kind))
ITEMS(transfer_real128, (void *block, void *item, int kind), (block, item, kind), 1, 16, 0, run_lets_read_go(block), 0,
      run_lets_go(block))
ITEMS(transfer_complex, (void *block, void *item, int kind), (block, item, kind), 1, 2 * real_bytes(kind), 0,
      run_is_active &&run_gets_scalar(block, item, 4, kind), 0, run_is_active &&run_puts_scalar(block, item, 4, kind))
ITEMS(transfer_complex128, (void *block, void *item, int kind), (block, item, kind), 1, 32, 0, run_lets_read_go(block), 0,
      run_lets_go(block))
ITEMS(transfer_character, (void *block, void *item, int64_t length), (block, item, length), 1, character_length(length, layout), 0,
      run_is_active &&run_gets_characters(block, item, length), run_keeps_characters(block, item, length),
      run_is_active &&run_puts_characters(block, item, length))
ITEMS(transfer_character_wide, (void *block, void *item, int64_t length, int kind), (block, item, length, kind), 1,
      character_length(length, layout) * (uint64_t)kind, 0, run_lets_read_go(block), 0, run_lets_go(block))

/* Array descriptors: a packed dtype word before GCC 8, a structure after. */
static uint64_t elements_of(const void *descriptor, int layout, uint64_t *element_bytes)
{
    const int64_t *word = descriptor;
    int array_rank;
    if (LIKELY(layout == 5)) {
        *element_bytes = (uint64_t)word[2];
        array_rank = ((const signed char *)&word[3])[4];
        word += 5;
    } else {
        *element_bytes = (uint64_t)word[2] >> 6;
        array_rank = (int)(word[2] & 7);
        word += 3;
    }
    uint64_t elements = 1;
    for (int i = 0; i < array_rank && i < 15; ++i) {
        int64_t extent = word[3 * i + 2] - word[3 * i + 1] + 1;
        if (extent <= 0) return 0;
        elements *= (uint64_t)extent;
    }
    return elements;
}

static inline uint64_t array_bytes(const void *descriptor, int layout)
{
    uint64_t element_bytes, elements = elements_of(descriptor, layout, &element_bytes);
    return elements * element_bytes;
}

static inline uint64_t array_elements(const void *descriptor, int layout)
{
    uint64_t element_bytes;
    return elements_of(descriptor, layout, &element_bytes);
}

ITEMS(transfer_array, (void *block, void *descriptor, int kind, int64_t length), (block, descriptor, kind, length),
      array_elements(descriptor, layout), array_bytes(descriptor, layout), 0,
      run_is_active &&run_gets_array(block, descriptor, kind, length), run_keeps_vector(block, descriptor, kind),
      run_is_active &&run_puts_array(block, descriptor, kind, length))

/* Defined input and output: the procedure's own statements follow as children. */
ITEM(transfer_derived, transfer_derived, (void *block, void *item, void *procedure), (block, item, procedure), 1, 0, 0,
     run_lets_go(block) || run_lets_read_go(block))

/* ---- namelists ---- */

static __thread __attribute__((tls_model("initial-exec"))) uint64_t namelist_element_bytes, namelist_elements;

static void count_namelist_variable(int kind, int64_t length, int layout)
{
    namelist_element_bytes = length > 0 ? character_length(length, layout) : (uint64_t)kind;
    namelist_elements = 1;
    this_thread.namelist_items++;
    this_thread.namelist_elements++;
    this_thread.namelist_bytes += namelist_element_bytes;
}

typedef void namelist_variable(void *, void *, char *, int, int64_t, int64_t, int64_t, int64_t);
#define NAMELIST_VARIABLE(name)                                                                                        \
    EXPORTED void _gfortran_##name(void *block, void *address, char *variable, int kind, int64_t length, int64_t type, \
                                   int64_t further, int64_t last)                                                      \
    {                                                                                                                  \
        REAL(namelist_variable, name);                                                                                 \
        if (LIKELY(intercept_active)) count_namelist_variable(kind, length, call_##name->layout);                      \
        real_##name(block, address, variable, kind, length, type, further, last);                                      \
    }
NAMELIST_VARIABLE(st_set_nml_var)
NAMELIST_VARIABLE(st_set_nml_dtio_var)

EXPORTED void _gfortran_st_set_nml_var_dim(void *block, int dimension, int64_t stride, int64_t lower, int64_t upper)
{
    REAL(void(void *, int, int64_t, int64_t, int64_t), st_set_nml_var_dim);
    if (LIKELY(intercept_active)) {
        uint64_t extent = upper >= lower ? (uint64_t)(upper - lower + 1) : 0;
        uint64_t elements = namelist_elements * extent;
        this_thread.namelist_elements += elements - namelist_elements;
        this_thread.namelist_bytes += (elements - namelist_elements) * namelist_element_bytes;
        namelist_elements = elements;
    }
    real_st_set_nml_var_dim(block, dimension, stride, lower, upper);
}
