/* The variables that bring us into programs. A program that another one starts with an environment of its own, or with a
 * LD_PRELOAD of its own, gets them too: a job script that preloads Darshan, env -i. Open MPI is told to hand them on to other
 * nodes. A program for another processor is better off without: its loader would complain.
 *
 * Nothing here allocates: the child of a vfork comes here.
 */
#ifndef HEADRACE_ENVIRONMENT_H
#define HEADRACE_ENVIRONMENT_H

#include <alloca.h>
#include <stddef.h>

/* Keeps the variables as they are now. */
void environment_start(void);

/* The directory for profiles, whatever the program has done to its variables since; "": none was named. */
const char *environment_directory(void);

/* A program that is about to be executed: its file, or NULL; its words; its variables. */
struct execution {
    const char *file;
    char *const *words, *const *variables;
    size_t pointers, bytes; /* room for other variables; pointers is 0 if these will do */
};
struct execution environment_look(const char *file, char *const *words, char *const *variables);

/* Fills `pointers` and `text`, which have that room, and returns the former. */
char **environment_fill(const struct execution *execution, char **pointers, char *text);

/* `name`: an environment with our variables, on the stack of the function that says so; NULL if `given` will do. */
#define ENVIRONMENT_WITH_OURS(name, file, words, given)                       \
    char **name = NULL;                                                       \
    struct execution execution_##name = environment_look(file, words, given); \
    if (execution_##name.pointers)                                            \
    name = environment_fill(&execution_##name, alloca(execution_##name.pointers * sizeof(char *)), alloca(execution_##name.bytes))

#endif
