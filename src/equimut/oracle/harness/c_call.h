/* What every C harness has: texts, the end of a call, undefined behaviour, tokens, output. All of
   it is static: the code under test may use any name. Included by one file of each harness. */
#ifndef EQUIMUT_CALL_H
#define EQUIMUT_CALL_H

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_LIMIT 65536
#define ALTERNATE_STACK 65536
#define MEMORY_CHECK 256

typedef struct {
    char *text;
    size_t used, room;
} Text;

static double wall_seconds;
static size_t memory_limit;

/* The call that runs now. */
static long long steps, budget;
static sigjmp_buf leave;
static const char *cursor;
static Text seen;
static char outcome[16], detail[128];
static int current_input, in_call;
static int report_to = -1;
/* Set while memory is looked at that may not be there. */
static int probing;
static sigjmp_buf recover;

static void put_bytes(Text *to, const char *bytes, size_t count) {
    if (to->used + count + 1 > to->room) {
        to->room = 2 * (to->used + count + 64);
        to->text = realloc(to->text, to->room);
        if (to->text == NULL)
            _exit(9);
    }
    memcpy(to->text + to->used, bytes, count);
    to->used += count;
    to->text[to->used] = '\0';
}

static void put(Text *to, const char *text) { put_bytes(to, text, strlen(text)); }

static void clear(Text *text) {
    text->used = 0;
    put(text, "");
}

/* A JSON string; bytes above ASCII as the Latin-1 characters of the same number. */
static void put_json(Text *to, const char *bytes, size_t count) {
    char escape[8];
    put(to, "\"");
    for (size_t i = 0; i < count; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\' || c < ' ' || c > '~') {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            put(to, escape);
        } else {
            put_bytes(to, bytes + i, 1);
        }
    }
    put(to, "\"");
}

static void end_call(const char *how, const char *what) {
    if (!in_call)
        _exit(8);
    in_call = 0;
    snprintf(outcome, sizeof outcome, "%s", how);
    snprintf(detail, sizeof detail, "%s", what);
    siglongjmp(leave, 1);
}

extern size_t __sanitizer_get_current_allocated_bytes(void);

static void step(void) {
    if (++steps > budget)
        end_call("endless", "");
    /* The last limit: code that hoards memory ends its process, which proves nothing. */
    if (steps % MEMORY_CHECK == 0 && __sanitizer_get_current_allocated_bytes() > memory_limit)
        _exit(6);
}

static _Noreturn void leave_by_exit(int code) {
    char text[32];
    snprintf(text, sizeof text, "%d", code & 0xff);
    end_call("exits", text);
    _exit(8);
}

static _Noreturn void leave_by_abort(void) {
    end_call("crashes", "abort");
    _exit(8);
}

/* The compiler calls these on undefined behaviour: -fsanitize=undefined without its library. */
#define UNDEFINED(name, text) \
    void __ubsan_handle_##name##_abort(void); \
    void __ubsan_handle_##name##_abort(void) { end_call("crashes", text); }
UNDEFINED(add_overflow, "signed integer overflow")
UNDEFINED(sub_overflow, "signed integer overflow")
UNDEFINED(mul_overflow, "signed integer overflow")
UNDEFINED(negate_overflow, "signed integer overflow")
UNDEFINED(divrem_overflow, "division by zero or overflow")
UNDEFINED(shift_out_of_bounds, "shift out of bounds")
UNDEFINED(out_of_bounds, "index out of bounds")
UNDEFINED(vla_bound_not_positive, "array length not positive")
UNDEFINED(float_cast_overflow, "value out of range of the integer type")
UNDEFINED(load_invalid_value, "invalid value of a bool or enum")
UNDEFINED(nonnull_arg, "null passed where it is not allowed")
UNDEFINED(nonnull_return_v1, "null returned where it is not allowed")
UNDEFINED(type_mismatch_v1, "null or misaligned pointer")
UNDEFINED(pointer_overflow, "pointer overflow")
UNDEFINED(invalid_builtin, "invalid argument of a builtin")
UNDEFINED(alignment_assumption, "misaligned pointer")
void __ubsan_handle_builtin_unreachable(void);
void __ubsan_handle_builtin_unreachable(void) { end_call("crashes", "unreachable code reached"); }
void __ubsan_handle_missing_return(void);
void __ubsan_handle_missing_return(void) { end_call("crashes", "no value returned"); }

static void on_signal(int number) {
    if (probing)
        siglongjmp(recover, 1);
    end_call("crashes", number == SIGSEGV || number == SIGBUS ? "invalid memory access"
                        : number == SIGFPE                    ? "arithmetic error"
                        : number == SIGABRT                   ? "abort"
                                                              : "invalid instruction");
}

static const char *next_token(size_t *length) {
    while (*cursor == ' ')
        cursor++;
    const char *token = cursor;
    while (*cursor != ' ' && *cursor != '\0')
        cursor++;
    *length = (size_t)(cursor - token);
    return token;
}

static long long read_int(void) {
    size_t length;
    const char *token = next_token(&length);
    return *token == '-' ? strtoll(token, NULL, 10) : (long long)strtoull(token, NULL, 10);
}

static double read_double(void) {
    size_t length;
    const char *token = next_token(&length);
    char text[17];
    double result;
    snprintf(text, sizeof text, "%.*s", (int)length, token);
    uint64_t bits = strtoull(text, NULL, 16);
    memcpy(&result, &bits, sizeof result);
    return result;
}

static void put_hex_bytes(char *to, const char *digits, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char pair[3] = {digits[2 * i], digits[2 * i + 1], '\0'};
        to[i] = (char)strtol(pair, NULL, 16);
    }
}

/* The lines of a file. */
static char **read_rows(const char *path, int *count) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0, space = 1024;
    if (file == NULL)
        exit(9);
    char **rows = malloc(space * sizeof *rows);
    *count = 0;
    while (getline(&line, &room, file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if ((size_t)*count == space)
            rows = realloc(rows, (space *= 2) * sizeof *rows);
        rows[(*count)++] = strdup(line);
    }
    free(line);
    fclose(file);
    return rows;
}

static void put_double(Text *to, double number, int single) {
    char text[40];
    snprintf(text, sizeof text, single ? "%.9g" : "%.17g", number);
    put(to, number != number ? "NaN" : text);
}

static void note_progress(const char *what, const char *text) {
    if (report_to >= 0) {
        Text line = {0};
        char head[64];
        snprintf(head, sizeof head, "%s %d ", what, current_input);
        put(&line, head);
        put(&line, text);
        put(&line, "\n");
        size_t done = 0;
        while (done < line.used) {
            ssize_t count = write(report_to, line.text + done, line.used - done);
            if (count <= 0 && errno != EINTR)
                _exit(9);
            done += count > 0 ? (size_t)count : 0;
        }
        free(line.text);
    }
}

/* AddressSanitizer hands its report over, then ends this process. */
static void on_memory_error(const char *report) {
    const char *start = strstr(report, "AddressSanitizer: ");
    char kind[64] = "memory error", line[160];
    if (start != NULL) {
        start += strlen("AddressSanitizer: ");
        size_t length = strcspn(start, " \n");
        if (strncmp(start, "attempting", 10) == 0)
            length = strcspn(start, "\n") < 30 ? strcspn(start, "\n") : strcspn(start + 11, " ") + 11;
        snprintf(kind, sizeof kind, "%.*s", (int)(length < 60 ? length : 60), start);
    }
    snprintf(line, sizeof line, "{\"outcome\":\"crashes\",\"detail\":\"%s\"}", kind);
    note_progress("crash", line);
    _exit(7);
}

static FILE *captured, *captured_errors, *real_output, *real_errors;
static char *printed, *printed_errors;
static size_t printed_size, printed_errors_size;

/* What the call writes goes to memory; `printed` as far as `captured` has come. */
static void capture(void) {
    if (captured == NULL) {
        captured = open_memstream(&printed, &printed_size);
        captured_errors = open_memstream(&printed_errors, &printed_errors_size);
    }
    rewind(captured); /* one stream for all calls: opening one costs more than most calls */
    rewind(captured_errors);
    real_output = stdout;
    real_errors = stderr;
    stdout = captured;
    stderr = captured_errors;
}

static void release(void) {
    fflush(captured);
    fflush(captured_errors);
    stdout = real_output;
    stderr = real_errors;
}

/* What was written: up to the limit as it is, of the rest a digest (FNV-1a). */
static void put_output(const char *name, const char *text, size_t size) {
    size_t kept = size < OUTPUT_LIMIT ? size : OUTPUT_LIMIT;
    Text all = {0};
    put(&seen, name);
    put_bytes(&all, text, kept);
    if (size > kept) {
        unsigned long long digest = 0xcbf29ce484222325ULL;
        char more[80];
        for (size_t i = kept; i < size; i++)
            digest = (digest ^ (unsigned char)text[i]) * 0x100000001b3ULL;
        snprintf(more, sizeof more, "... %zu more, %llx", size - kept, digest);
        put(&all, more);
    }
    put_json(&seen, all.text, all.used);
    free(all.text);
}

static void prepare_child(int pipe_end) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    struct sigaction action = {0};
    stack_t alternate = {.ss_sp = malloc(ALTERNATE_STACK), .ss_size = ALTERNATE_STACK};
    struct itimerval timer = {{0, 0}, {(time_t)wall_seconds, 1}};
    report_to = pipe_end;
    sigaltstack(&alternate, NULL); /* a handler needs room when the stack is what ran out */
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    signal(SIGALRM, SIG_DFL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

#endif
