/* The functions of one object, by address; which of them are a Fortran run time's. */
#ifndef HEADRACE_FUNCTIONS_H
#define HEADRACE_FUNCTIONS_H

#include "object_file.h"

struct function {
    uintptr_t begins, ends; /* in memory */
    unsigned char is_run_time, is_local;
};

struct functions {
    struct function *list;
    size_t count;
};

/* 0: no memory. */
int functions_of(struct functions *functions, const struct object_file *file);
void functions_free(struct functions *functions);

/* The function that has this address inside, or NULL. */
const struct function *function_at(const struct functions *functions, uintptr_t address);

/* Where the functions of the run time are, one part for those that follow each other. */
struct run_time_code {
    struct {
        uintptr_t begins, ends;
    } * parts;
    size_t count;
};

void remember_run_time_code(struct run_time_code *code, const struct functions *functions);
int is_in_run_time_code(const struct run_time_code *code, uintptr_t address);

#endif
