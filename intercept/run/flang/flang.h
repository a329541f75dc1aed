/* What families/flang.c asks `headrace run`: whether it takes a statement over. A WRITE that was begun here has one of our own
 * cookies to its end, whoever does it: each function that takes a cookie asks whether it is ours.
 *
 * Read next: begin.cpp (statements), run_time.cpp (the real functions, in the shape of gfortran's).
 */
#ifndef HEADRACE_RUN_FLANG_H
#define HEADRACE_RUN_FLANG_H

#include <stddef.h>
#include <stdint.h>

#include "../run.h"

struct flang_descriptor;

/* What a statement does that is no WRITE of ours. */
enum run_flang_kind { run_flang_nothing, run_flang_looks, run_flang_flushes, run_flang_moves, run_flang_opens, run_flang_closes };

#ifdef HEADRACE_RUN

#ifdef __cplusplus
extern "C" {
#endif

/* The cookies of this thread: statements, one inside of the other. */
enum { run_flang_cookies = 8, run_flang_cookie_bytes = 512 };
extern __thread char run_flang_statements[] __attribute__((tls_model("initial-exec")));

static inline int run_flang_is_ours(const void *cookie)
{
    return (uintptr_t)cookie - (uintptr_t)run_flang_statements < run_flang_cookies * run_flang_cookie_bytes;
}

/* A statement of this thread that has the run time's own cookie: it was left so often that nobody needs to see its items. */
struct run_flang_left {
    const void *cookie;
    int32_t unit;
    uint8_t begins, is_unusual;
};
extern __thread struct run_flang_left run_flang_left_now __attribute__((tls_model("initial-exec")));
static inline void run_flang_has_left(const void *cookie)
{
    if (run_flang_left_now.begins) run_flang_left_now.cookie = cookie, run_flang_left_now.begins = 0;
}
static inline int run_flang_was_left(const void *cookie) { return cookie == run_flang_left_now.cookie; }
/* Its end. */
void run_flang_left_now_ends(int status);

/* A WRITE begins; format: NULL if it is list-directed. Our cookie, or NULL: the run time's is used. */
void *run_flang_begins(const char *format, size_t length, int32_t unit, const char *file, int line);
/* Was it taken over when it began? */
int run_flang_is_taken(const void *cookie);
/* What the run time calls it; NULL: it is taken over. Of our cookie. */
void *run_flang_real(void *cookie);
/* It was not taken over: the run time calls it so. Returns the cookie. */
void *run_flang_goes_on(void *cookie, void *real);

/* Something comes that is not handled: the statement is the run time's. what: a constant. */
void run_flang_leaves(void *cookie, const char *what);
/* A specifier of a WRITE that is not handled. */
void run_flang_has_specifier(void *cookie, const char *what);
/* An item. 1: taken over. */
int run_flang_puts_text(void *cookie, const char *text, size_t bytes);
int run_flang_puts_described(void *cookie, const struct flang_descriptor *item);
/* The end. 1: it is done, with this status. */
int run_flang_ends(void *cookie, int *status);
void run_flang_left_ends(void *cookie, int status);

/* Other statements. */
void run_flang_other_begins(enum run_flang_kind kind, int32_t unit);
/* OPEN and CLOSE: what the run time calls it. */
void run_flang_has_cookie(enum run_flang_kind kind, int32_t unit, const void *cookie, const char *file);
/* An OPEN that asks for something out of the ordinary. */
void run_flang_is_unusual(const void *cookie);
void run_flang_has_unit(const void *cookie, int32_t unit);
/* For what the statement asks with this word; `usual` in lower case. */
void run_flang_asks(const void *cookie, const char *text, size_t bytes, const char *usual);
void run_flang_other_ends(const void *cookie, int status);

#ifdef __cplusplus
}
#endif

#else

static inline void run_flang_has_left(const void *cookie) { (void)cookie; }
static inline int run_flang_was_left(const void *cookie) { return (void)cookie, 0; }
static inline void run_flang_left_now_ends(int status) { (void)status; }
static inline int run_flang_is_ours(const void *cookie) { return (void)cookie, 0; }
static inline void *run_flang_begins(const char *format, size_t length, int32_t unit, const char *file, int line)
{
    return (void)format, (void)length, (void)unit, (void)file, (void)line, NULL;
}
static inline int run_flang_is_taken(const void *cookie) { return (void)cookie, 0; }
static inline void *run_flang_real(void *cookie) { return cookie; }
static inline void *run_flang_goes_on(void *cookie, void *real) { return (void)cookie, real; }
static inline void run_flang_leaves(void *cookie, const char *what) { (void)cookie, (void)what; }
static inline void run_flang_has_specifier(void *cookie, const char *what) { (void)cookie, (void)what; }
static inline int run_flang_puts_text(void *cookie, const char *text, size_t bytes)
{
    return (void)cookie, (void)text, (void)bytes, 0;
}
static inline int run_flang_puts_described(void *cookie, const struct flang_descriptor *item)
{
    return (void)cookie, (void)item, 0;
}
static inline int run_flang_ends(void *cookie, int *status) { return (void)cookie, (void)status, 0; }
static inline void run_flang_left_ends(void *cookie, int status) { (void)cookie, (void)status; }
static inline void run_flang_other_begins(enum run_flang_kind kind, int32_t unit) { (void)kind, (void)unit; }
static inline void run_flang_has_cookie(enum run_flang_kind kind, int32_t unit, const void *cookie, const char *file)
{
    (void)kind, (void)unit, (void)cookie, (void)file;
}
static inline void run_flang_is_unusual(const void *cookie) { (void)cookie; }
static inline void run_flang_has_unit(const void *cookie, int32_t unit) { (void)cookie, (void)unit; }
static inline void run_flang_asks(const void *cookie, const char *text, size_t bytes, const char *usual)
{
    (void)cookie, (void)text, (void)bytes, (void)usual;
}
static inline void run_flang_other_ends(const void *cookie, int status) { (void)cookie, (void)status; }

#endif
#endif
