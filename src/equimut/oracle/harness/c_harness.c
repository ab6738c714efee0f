/* Runs an origin and its mutants on the same inputs. Every unit runs in a forked child: what it
   breaks is gone with it. Undefined behaviour is reported by the handlers of c_call.h (the compiler
   calls them), memory errors by AddressSanitizer. This file is compiled without sanitizers. */
#define _GNU_SOURCE
#include "c_harness.h"

#include "c_call.h"

#define MOST_BUFFERS 64
#define HOPELESS 500 /* inputs after which an origin that hardly ever behaves is given up */

/* The job. */
static char **inputs;
static int input_count;
static long long origin_steps, least_steps, step_factor, wanted;
static int observe_only;
static FILE *results;

/* What the origin did, by input; NULL: outside its domain. */
static char **expected;
static long long *steps_of;

/* The call that runs now. */
static Text value, after;
static struct { const void *start; size_t bytes; } buffers[MOST_BUFFERS];
static int buffer_count, current_unit;

void equimut_tick(void) { step(); }

void equimut_missing_return(void) { end_call("crashes", "no value returned"); }

void equimut_exit(int code) { leave_by_exit(code); }

void equimut_abort(void) { leave_by_abort(); }

/* ---- arguments ---- */

long long equimut_int(void) { return read_int(); }

double equimut_double(void) { return read_double(); }

static void remember(const void *start, size_t bytes) {
    if (buffer_count < MOST_BUFFERS) {
        buffers[buffer_count].start = start;
        buffers[buffer_count++].bytes = bytes;
    }
}

static void store(char *place, char kind, size_t size) {
    if (kind == 'f') {
        double number = read_double();
        float single = (float)number;
        memcpy(place, size == sizeof(float) ? (void *)&single : (void *)&number, size);
    } else {
        long long number = read_int();
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
    put_hex_bytes(buffer, token + 1, *count - 1);
    buffer[*count - 1] = '\0';
    remember(buffer, *count);
    return buffer;
}

/* ---- what can be seen of a call ---- */

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
    if (__sanitizer_get_current_allocated_bytes() > memory_limit)
        _exit(6); /* code without a loop may hoard memory from call to call */
    capture();
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
    release();
    describe(printed, (size_t)ftell(captured), printed_errors, (size_t)ftell(captured_errors));
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
    inputs = read_rows(path, &input_count);
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
