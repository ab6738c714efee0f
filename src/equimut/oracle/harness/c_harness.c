/* Runs an origin and its mutants on the same inputs. Every unit runs in a forked child: what it
   breaks is gone with it. Undefined behaviour is reported by the handlers below (the compiler
   calls them), memory errors by AddressSanitizer. This file is compiled without sanitizers. */
#define _GNU_SOURCE
#include "c_harness.h"

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
#define MOST_BUFFERS 64
#define ALTERNATE_STACK 65536
#define MEMORY_CHECK 256
#define HOPELESS 500 /* inputs after which an origin that hardly ever behaves is given up */

typedef struct {
    char *text;
    size_t used, room;
} Text;

/* The job. */
static char **inputs;
static int input_count;
static long long origin_steps, least_steps, step_factor, wanted;
static double wall_seconds;
static size_t memory_limit;
static int observe_only;
static FILE *results;

/* What the origin did, by input; NULL: outside its domain. */
static char **expected;
static long long *steps_of;

/* The call that runs now. */
static long long steps, budget;
static sigjmp_buf leave;
static const char *cursor;
static Text value, after, seen;
static char outcome[16], detail[128];
static struct { const void *start; size_t bytes; } buffers[MOST_BUFFERS];
static int buffer_count, current_unit, current_input, in_call;
static int report_to = -1;

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

void equimut_tick(void) {
    if (++steps > budget)
        end_call("endless", "");
    /* The last limit: code that hoards memory ends its process, which proves nothing. */
    if (steps % MEMORY_CHECK == 0 && __sanitizer_get_current_allocated_bytes() > memory_limit)
        _exit(6);
}

void equimut_missing_return(void) { end_call("crashes", "no value returned"); }

void equimut_exit(int code) {
    char text[32];
    snprintf(text, sizeof text, "%d", code & 0xff);
    end_call("exits", text);
    _exit(8);
}

void equimut_abort(void) {
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
    end_call("crashes", number == SIGSEGV || number == SIGBUS ? "invalid memory access"
                        : number == SIGFPE                    ? "arithmetic error"
                        : number == SIGABRT                   ? "abort"
                                                              : "invalid instruction");
}

/* ---- arguments ---- */

static const char *next_token(size_t *length) {
    while (*cursor == ' ')
        cursor++;
    const char *token = cursor;
    while (*cursor != ' ' && *cursor != '\0')
        cursor++;
    *length = (size_t)(cursor - token);
    return token;
}

long long equimut_int(void) {
    size_t length;
    const char *token = next_token(&length);
    return *token == '-' ? strtoll(token, NULL, 10) : (long long)strtoull(token, NULL, 10);
}

double equimut_double(void) {
    size_t length;
    const char *token = next_token(&length);
    char text[17];
    double result;
    snprintf(text, sizeof text, "%.*s", (int)length, token);
    uint64_t bits = strtoull(text, NULL, 16);
    memcpy(&result, &bits, sizeof result);
    return result;
}

static void remember(const void *start, size_t bytes) {
    if (buffer_count < MOST_BUFFERS) {
        buffers[buffer_count].start = start;
        buffers[buffer_count++].bytes = bytes;
    }
}

static void store(char *place, char kind, size_t size) {
    if (kind == 'f') {
        double number = equimut_double();
        float single = (float)number;
        memcpy(place, size == sizeof(float) ? (void *)&single : (void *)&number, size);
    } else {
        long long number = equimut_int();
        memcpy(place, &number, size); /* little endian: the low bytes come first */
    }
}

void *equimut_array(char kind, size_t size, size_t *count) {
    size_t length;
    const char *token = next_token(&length);
    *count = 0;
    if (*token == '-') {
        remember(NULL, 0);
        return NULL;
    }
    *count = strtoull(token + 1, NULL, 10);
    char *buffer = malloc(*count * size);
    for (size_t i = 0; i < *count; i++)
        store(buffer + i * size, kind, size);
    remember(buffer, *count * size);
    return buffer;
}

char *equimut_string(size_t *count) {
    size_t length;
    const char *token = next_token(&length);
    *count = 0;
    if (*token == '-') {
        remember(NULL, 0);
        return NULL;
    }
    *count = length / 2 + 1; /* the token is "s" and two digits a byte */
    char *buffer = malloc(*count);
    for (size_t i = 0; i + 1 < *count; i++) {
        char pair[3] = {token[1 + 2 * i], token[2 + 2 * i], '\0'};
        buffer[i] = (char)strtol(pair, NULL, 16);
    }
    buffer[*count - 1] = '\0';
    remember(buffer, *count);
    return buffer;
}

/* ---- what can be seen of a call ---- */

static void put_double(Text *to, double number, int single) {
    char text[40];
    snprintf(text, sizeof text, single ? "%.9g" : "%.17g", number);
    put(to, number != number ? "NaN" : text);
}

void equimut_result_void(void) { put(&value, "void"); }

void equimut_result_int(long long number) {
    char text[32];
    snprintf(text, sizeof text, "%lld", number);
    put(&value, text);
}

void equimut_result_unsigned(unsigned long long number) {
    char text[32];
    snprintf(text, sizeof text, "%llu", number);
    put(&value, text);
}

void equimut_result_double(double number) { put_double(&value, number, 0); }

void equimut_result_string(const char *text, size_t length) {
    if (text == NULL)
        put(&value, "null");
    else
        put_json(&value, text, length);
}

/* Addresses differ from run to run: a pointer is told as a place in an argument. */
void equimut_result_pointer(const void *pointer) {
    char text[64];
    if (pointer == NULL) {
        put(&value, "null");
        return;
    }
    for (int i = 0; i < buffer_count; i++) {
        const char *start = buffers[i].start;
        if (start != NULL && (const char *)pointer >= start &&
            (const char *)pointer <= start + buffers[i].bytes) {
            snprintf(text, sizeof text, "argument buffer %d, byte %td", i,
                     (const char *)pointer - start);
            put(&value, text);
            return;
        }
    }
    put(&value, "a pointer of its own");
}

void equimut_after(char kind, size_t size, size_t count, const void *buffer) {
    Text text = {0};
    char number[40];
    if (buffer == NULL) {
        put(&text, "null");
    } else if (kind == 's') {
        put_json(&text, buffer, count > 0 ? count - 1 : 0);
        if (count > 0 && ((const char *)buffer)[count - 1] != '\0')
            put(&text, " without its NUL");
    } else {
        put(&text, "[");
        for (size_t i = 0; i < count; i++) {
            const char *place = (const char *)buffer + i * size;
            put(&text, i > 0 ? ", " : "");
            if (kind == 'f') {
                float single;
                double whole;
                memcpy(size == sizeof single ? (void *)&single : (void *)&whole, place, size);
                put_double(&text, size == sizeof single ? single : whole, size == sizeof single);
                continue;
            }
            unsigned long long bits = 0;
            memcpy(&bits, place, size);
            unsigned shift = 64 - 8 * (unsigned)size;
            if (kind == 'i')
                snprintf(number, sizeof number, "%lld", (long long)(bits << shift) >> shift);
            else
                snprintf(number, sizeof number, "%llu", bits);
            put(&text, number);
        }
        put(&text, "]");
    }
    put(&after, after.used > 0 ? "," : "");
    put_json(&after, text.text, text.used);
    free(text.text);
}

/* ---- one call ---- */

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

static void describe(const char *output, size_t output_size, const char *errors, size_t errors_size) {
    clear(&seen);
    put(&seen, "{\"outcome\":\"");
    put(&seen, outcome);
    put(&seen, "\"");
    if (strcmp(outcome, "endless") != 0 && strcmp(outcome, "crashes") != 0) {
        put(&seen, ",\"value\":");
        put_json(&seen, value.text, value.used);
        put(&seen, ",\"arguments\":[");
        put(&seen, after.text);
        put(&seen, "]");
        put_output(",\"output\":", output, output_size);
        put_output(",\"errors\":", errors, errors_size);
    }
    put(&seen, ",\"detail\":");
    put_json(&seen, detail, strlen(detail));
    put(&seen, "}");
}

/* One call and everything a test could see of it, into `seen`. */
static void observe(int unit, int input, long long allowed) {
    static char *output, *errors;
    static size_t output_size, errors_size;
    static FILE *captured, *captured_errors;
    FILE *real = stdout, *real_errors = stderr;
    if (__sanitizer_get_current_allocated_bytes() > memory_limit)
        _exit(6); /* code without a loop may hoard memory from call to call */
    if (captured == NULL) {
        captured = open_memstream(&output, &output_size);
        captured_errors = open_memstream(&errors, &errors_size);
    }
    rewind(captured); /* one stream for all calls: opening one costs more than most calls */
    rewind(captured_errors);
    stdout = captured;
    stderr = captured_errors;
    current_unit = unit;
    current_input = input;
    cursor = inputs[input];
    buffer_count = 0;
    clear(&value);
    clear(&after);
    snprintf(outcome, sizeof outcome, "returns");
    detail[0] = '\0';
    steps = 0;
    budget = allowed;
    if (sigsetjmp(leave, 1) == 0) {
        in_call = 1;
        equimut_call(unit);
        in_call = 0;
    }
    fflush(captured);
    fflush(captured_errors);
    stdout = real;
    stderr = real_errors;
    describe(output, (size_t)ftell(captured), errors, (size_t)ftell(captured_errors));
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

static long long allowed_for(int input) {
    long long scaled = step_factor * steps_of[input];
    return scaled > least_steps ? scaled : least_steps;
}

/* ---- children ---- */

static void origin_child(int first) {
    long long found = 0;
    for (int i = 0; i < first; i++)
        found += expected[i] != NULL;
    for (int i = first; i < input_count && found < wanted; i++) {
        char count[32];
        if (i >= HOPELESS && 50 * found < i)
            break;
        observe(0, i, origin_steps);
        snprintf(count, sizeof count, "%lld ", steps);
        clear(&value);
        put(&value, count);
        put(&value, seen.text);
        note_progress("seen", value.text);
        found += strncmp(seen.text, "{\"outcome\":\"re", 14) == 0 ||
                 strncmp(seen.text, "{\"outcome\":\"ex", 14) == 0;
    }
    note_progress("end", "");
}

static void again_child(void) {
    for (int i = input_count - 1; i >= 0; i--) {
        if (expected[i] == NULL)
            continue;
        observe(0, i, allowed_for(i));
        if (strcmp(seen.text, expected[i]) != 0) {
            note_progress("crash", seen.text);
            return;
        }
    }
    note_progress("end", "");
}

static void mutant_child(int unit) {
    for (int i = 0; i < input_count; i++) {
        if (expected[i] == NULL)
            continue;
        observe(unit, i, allowed_for(i));
        if (observe_only || strcmp(seen.text, expected[i]) != 0) {
            note_progress("crash", seen.text);
            return;
        }
    }
    note_progress("end", "");
}

/* Forks a child for a unit (-1: the origin once more) and gives the stream of its notes. */
static FILE *start_child(int unit, int first, pid_t *child) {
    int ends[2];
    if (pipe(ends) != 0)
        exit(9);
    fflush(NULL);
    *child = fork();
    if (*child < 0)
        exit(9);
    if (*child == 0) {
        close(ends[0]);
        prepare_child(ends[1]);
        if (unit == 0)
            origin_child(first);
        else if (unit < 0)
            again_child();
        else
            mutant_child(unit);
        _exit(0);
    }
    close(ends[1]);
    return fdopen(ends[0], "r");
}

static int finish_child(FILE *notes, pid_t child) {
    int status = 0;
    fclose(notes);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* ---- the parent ---- */

static long long endless, undefined, beyond, hoarding;

static void take_origin_note(char *line, int *last) {
    int place = 0, offset = 0;
    char what[8];
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%7s %d %n", what, &place, &offset) < 2)
        return;
    if (strcmp(what, "end") == 0) {
        *last = input_count;
        return;
    }
    *last = place;
    if (strcmp(what, "crash") == 0) {
        undefined++;
        return;
    }
    char *rest;
    steps_of[place] = strtoll(line + offset, &rest, 10);
    rest++;
    if (strncmp(rest, "{\"outcome\":\"endless", 19) == 0)
        endless++;
    else if (strncmp(rest, "{\"outcome\":\"crashes", 19) == 0)
        undefined++;
    else
        expected[place] = strdup(rest);
}

static void run_origin(void) {
    char *line = NULL;
    size_t room = 0;
    int last = -1;
    while (last < input_count) {
        pid_t child;
        int before = last;
        FILE *notes = start_child(0, last + 1, &child);
        while (getline(&line, &room, notes) > 0)
            take_origin_note(line, &last);
        int status = finish_child(notes, child);
        if (last >= input_count)
            break;
        /* An input that AddressSanitizer ended is noted; any other death is the sandbox's. */
        if (!(WIFEXITED(status) && WEXITSTATUS(status) == 7)) {
            last++;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 6)
                hoarding++;
            else
                beyond++;
            if (beyond + hoarding > 10 || last >= input_count)
                break;
        } else if (last == before) {
            last++;
        }
        if (last == input_count - 1)
            break;
    }
    free(line);
}

static int same_again(void) {
    char *line = NULL, what[8] = "";
    size_t room = 0;
    pid_t child;
    FILE *notes = start_child(-1, 0, &child);
    if (getline(&line, &room, notes) > 0)
        sscanf(line, "%7s", what);
    finish_child(notes, child);
    free(line);
    return strcmp(what, "end") == 0;
}

static void report_origin(int stable) {
    const char *comma = "";
    fprintf(results, "{\"unit\":0,\"result\":\"origin\",\"valid\":[");
    for (int i = 0; i < input_count; i++) {
        if (expected[i] != NULL) {
            fprintf(results, "%s%d", comma, i);
            comma = ",";
        }
    }
    fprintf(results,
            "],\"stable\":%s,\"endless\":%lld,\"memory\":%lld,\"stack_overflow\":0,"
            "\"crashed\":%lld,\"ended\":%lld}\n",
            stable ? "true" : "false", endless, hoarding, undefined, beyond);
    fflush(results);
}

static int tried_until(int place) {
    int count = 0;
    for (int i = 0; i <= place && i < input_count; i++)
        count += expected[i] != NULL;
    return count;
}

static void run_mutant(int unit) {
    char *line = NULL, what[8] = "";
    size_t room = 0;
    int place = 0, offset = 0;
    pid_t child;
    FILE *notes = start_child(unit, 0, &child);
    if (getline(&line, &room, notes) > 0) {
        line[strcspn(line, "\n")] = '\0';
        sscanf(line, "%7s %d %n", what, &place, &offset);
    }
    int status = finish_child(notes, child);
    if (strcmp(what, "crash") == 0) {
        fprintf(results,
                "{\"unit\":%d,\"result\":\"killed\",\"input\":%d,\"tried\":%d,\"origin\":%s,"
                "\"mutant\":%s}\n",
                unit, place, tried_until(place), expected[place], line + offset);
    } else if (strcmp(what, "end") == 0) {
        fprintf(results, "{\"unit\":%d,\"result\":\"survived\",\"tried\":%d}\n", unit,
                tried_until(input_count));
    } else {
        int alarm = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
        int memory = WIFEXITED(status) && WEXITSTATUS(status) == 6;
        fprintf(results, "{\"unit\":%d,\"result\":\"stopped\",\"reason\":\"the mutant %s\"}\n", unit,
                alarm    ? "passed the time limit"
                : memory ? "passed the memory limit"
                         : "ended the process");
    }
    fflush(results);
    free(line);
}

extern void __asan_set_error_report_callback(void (*callback)(const char *));

static void read_inputs(const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0, space = 1024;
    if (file == NULL)
        exit(9);
    inputs = malloc(space * sizeof *inputs);
    while (getline(&line, &room, file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if ((size_t)input_count == space)
            inputs = realloc(inputs, (space *= 2) * sizeof *inputs);
        inputs[input_count++] = strdup(line);
    }
    free(line);
    fclose(file);
    expected = calloc((size_t)input_count + 1, sizeof *expected);
    steps_of = calloc((size_t)input_count + 1, sizeof *steps_of);
}

/* Arguments: inputs, results, wanted, origin steps, least steps, factor, seconds, megabytes,
   observe, units. */
int main(int count, char **words) {
    if (count < 10)
        return 9;
    read_inputs(words[1]);
    results = fopen(words[2], "a");
    wanted = atoll(words[3]);
    origin_steps = atoll(words[4]);
    least_steps = atoll(words[5]);
    step_factor = atoll(words[6]);
    wall_seconds = atof(words[7]);
    memory_limit = (size_t)atoll(words[8]) << 20;
    observe_only = atoi(words[9]);
    __asan_set_error_report_callback(on_memory_error);
    run_origin();
    int stable = same_again();
    report_origin(stable);
    for (int i = 10; i < count && stable; i++)
        run_mutant(atoi(words[i]));
    fprintf(results, "{\"result\":\"done\"}\n");
    return fclose(results) == 0 ? 0 : 9;
}
