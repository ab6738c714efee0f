/* What the generated C code may call: arguments in, behaviour out, steps counted. */
#ifndef EQUIMUT_HARNESS_H
#define EQUIMUT_HARNESS_H

#include <stddef.h>

/* One step; leaves the call when the budget is spent. */
void equimut_tick(void);
/* The end of a function that has to return a value was reached. */
void equimut_missing_return(void);
/* What the code under test gets for exit(), _Exit() and abort(). */
void equimut_exit(int code) __attribute__((noreturn));
void equimut_abort(void) __attribute__((noreturn));

/* Arguments from the tokens of the current input. */
long long equimut_int(void);
double equimut_double(void);
/* A heap buffer of exactly `count` elements; kind is 'i', 'u' or 'f'. NULL for a null token. */
void *equimut_array(char kind, size_t size, size_t *count);
/* A NUL-terminated string in a buffer of exactly its size; `count` includes the NUL. */
char *equimut_string(size_t *count);

/* The result of the call. */
void equimut_result_void(void);
void equimut_result_int(long long value);
void equimut_result_unsigned(unsigned long long value);
void equimut_result_double(double value);
/* `length` is measured by the caller, under the sanitizer. */
void equimut_result_string(const char *text, size_t length);
void equimut_result_pointer(const void *value);
/* A buffer as it is after the call; call once per buffer, in order. */
void equimut_after(char kind, size_t size, size_t count, const void *buffer);

/* Generated for every case: decode the arguments, call one unit, report. */
extern void equimut_call(int unit);

#endif
