/* Runs functions of a file of a project on inputs. Arguments are made, and what a call leaves is
   looked at, by tables of types: c_project.h says what the file itself gives. A library of its own,
   so that the variables of the program are those of the code under test: they are put back before
   every call. Compiled without sanitizers. */
#define _GNU_SOURCE
#include "c_project.h"

#include "c_call.h"

#include <fcntl.h>
#include <sys/mman.h>

#define MOST_TYPES 8192
#define MOST_FUNCTIONS 4096
#define MOST_PARAMETERS 24
#define MOST_MADE 256
#define MOST_VISITED 256
#define MOST_FACETS 400
#define MOST_ELEMENTS 32
#define MOST_TEXT 4096
#define DEEPEST 5
#define MAP_BYTES (1 << 22)
#define MOST_PLACES 65536
#define MOST_CONSTANTS 512
#define MOST_TROUBLES 6
#define RENEW 5            /* how a child ends whose state is spoiled */
#define RENEW_BYTES (48u << 20)
#define CALL_SECONDS 4

typedef struct {
    char name[64];
    int type, bits, first_bit;
    size_t offset;
} Member;

/* kind: i u signed and unsigned, h H characters, b bool, f floating, p pointer, a array, s struct,
   n union (its first member), F function, v void, L a FILE, o unknown. */
typedef struct {
    char kind;
    size_t size;
    int target, count;
    Member *members;
} Type;

typedef struct {
    int result, count, parameters[MOST_PARAMETERS];
} Function;

static Type types[MOST_TYPES];
static Function functions[MOST_FUNCTIONS];
static struct { int type; char name[128]; } variables[MOST_FUNCTIONS];
static int type_count, function_count, variable_count;

static char **inputs;
static int input_count, backwards;
static long long origin_steps, least_steps, step_factor;
static unsigned long long *expected;
static long long *steps_of;

static struct {
    int at, constant_count;
    long long constants[MOST_CONSTANTS];
    unsigned char map[MAP_BYTES];
} *shared;
static unsigned char reached[MOST_PLACES];
static int place_count;
static Text fresh, facets, learned;
static int fresh_count, facet_count, learned_count;

static struct { char *start; size_t bytes; int argument; } made[MOST_MADE];
static int made_count, depth_of_making, argument_now;

/* ---- what instrumented code calls ---- */

/* Where the program begins, and where its variables are. */
static char *code_start, *data_start, *data_end;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    char text[24];
    size_t at = (size_t)((char *)__builtin_return_address(0) - code_start) % MAP_BYTES;
    if (!in_call)
        return;
    if (!shared->map[at]) {
        shared->map[at] = 1;
        snprintf(text, sizeof text, "%s%zu", fresh_count++ ? "," : "", at);
        put(&fresh, text);
    }
    step();
}

/* A constant that something is compared with: macros hide many of them from who reads the text. */
static void learn(long long constant) {
    char text[32];
    if (!in_call || learned_count >= MOST_CONSTANTS)
        return;
    for (int i = 0; i < shared->constant_count; i++)
        if (shared->constants[i] == constant)
            return;
    if (shared->constant_count < MOST_CONSTANTS)
        shared->constants[shared->constant_count++] = constant;
    snprintf(text, sizeof text, "%s%lld", learned_count++ ? "," : "", constant);
    put(&learned, text);
}

/* Wrapped by the linker: the sanitizer's library has functions of these names that do nothing. */
#define COMPARED(size, type)                                                        \
    void __wrap___sanitizer_cov_trace_const_cmp##size(type constant, type other) {  \
        (void)other;                                                                \
        learn((long long)constant);                                                 \
    }
COMPARED(1, int8_t)
COMPARED(2, int16_t)
COMPARED(4, int32_t)
COMPARED(8, int64_t)
void __sanitizer_cov_trace_cmpf(float one, float other) { (void)one, (void)other; }
void __sanitizer_cov_trace_cmpd(double one, double other) { (void)one, (void)other; }
void __wrap___sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {
    (void)value;
    for (uint64_t i = 0; i < cases[0] && i < 64; i++)
        learn((long long)cases[2 + i]);
}

void equimut_at(int place) {
    if (place < MOST_PLACES) {
        reached[place] = 1;
        place_count = place >= place_count ? place + 1 : place_count;
    }
}

void equimut_missing_return(void) { end_call("crashes", "no value returned"); }

void __wrap_exit(int code) { leave_by_exit(code); }
void __wrap__exit(int code) { leave_by_exit(code); }
void __wrap__Exit(int code) { leave_by_exit(code); }
void __wrap_abort(void) { leave_by_abort(); }
void __wrap___assert_fail(void) { end_call("crashes", "assertion failed"); }

/* ---- tables ---- */

static void read_type(Type *type, const char *row) {
    int used = 0;
    sscanf(row, "%c %zu %d %d%n", &type->kind, &type->size, &type->target, &type->count, &used);
    if (type->kind != 's' && type->kind != 'n')
        return;
    type->members = calloc((size_t)type->count + 1, sizeof *type->members);
    for (int i = 0; i < type->count; i++) {
        Member *member = &type->members[i];
        int more = 0;
        sscanf(row + used, " %63s %zu %d %d %d%n", member->name, &member->offset, &member->type,
               &member->bits, &member->first_bit, &more);
        used += more;
    }
}

static void read_function(Function *function, const char *row) {
    int used = 0, more = 0;
    sscanf(row, "function %d %d%n", &function->result, &function->count, &used);
    for (int i = 0; i < function->count && i < MOST_PARAMETERS; i++) {
        sscanf(row + used, " %d%n", &function->parameters[i], &more);
        used += more;
    }
}

static void read_tables(const char *path) {
    int count;
    char **rows = read_rows(path, &count);
    for (int i = 0; i < count; i++) {
        if (strncmp(rows[i], "function ", 9) == 0 && function_count < MOST_FUNCTIONS)
            read_function(&functions[function_count++], rows[i]);
        else if (strncmp(rows[i], "variable ", 9) == 0 && variable_count < MOST_FUNCTIONS) {
            sscanf(rows[i], "variable %d %127s", &variables[variable_count].type,
                   variables[variable_count].name);
            variable_count++;
        } else if (type_count < MOST_TYPES) {
            read_type(&types[type_count++], rows[i]);
        }
    }
}

/* ---- arguments ---- */

static void make(int type, char *place);

static char *remember(char *start, size_t bytes) {
    if (made_count < MOST_MADE) {
        made[made_count].start = start;
        made[made_count].bytes = bytes;
        made[made_count++].argument = depth_of_making == 1 ? argument_now : -1;
    }
    return start;
}

static void call_function(int number, void *receiver, void *result) {
    Function *function = &functions[number];
    char *room[MOST_PARAMETERS];
    int outer = depth_of_making;
    depth_of_making = 2;
    for (int i = 0; i < function->count; i++) {
        size_t size = types[function->parameters[i]].size;
        room[i] = calloc(1, size + 16);
        if (i == 0 && receiver != NULL)
            memcpy(room[0], &receiver, sizeof receiver);
        else
            make(function->parameters[i], room[i]);
    }
    depth_of_making = outer;
    equimut_invoke(number, (void **)room, result);
}

/* `!f ...` what f returns; `%f ...` zeroed memory that f is given first. Then calls on it. */
static char *make_by_function(const char *token, size_t size) {
    int number = atoi(token + 1);
    char *object = NULL, other[4096];
    if (*token == '%') {
        object = remember(calloc(1, size + (size == 0)), size);
        call_function(number, object, other);
    } else {
        call_function(number, NULL, other);
        memcpy(&object, other, sizeof object);
    }
    for (long long left = read_int(); left > 0; left--)
        call_function((int)read_int(), object, other);
    return object;
}

static FILE *make_file(const char *token, size_t length) {
    FILE *file = tmpfile();
    size_t count = (length - 1) / 2;
    char *bytes = malloc(count + 1);
    put_hex_bytes(bytes, token + 1, count);
    fwrite(bytes, 1, count, file);
    rewind(file);
    return file;
}

static void *make_pointer(const Type *type) {
    size_t length, target = types[type->target].size;
    const char *token = next_token(&length);
    char *buffer;
    size_t count;
    switch (*token) {
    case '[':
        count = strtoull(token + 1, NULL, 10);
        buffer = remember(malloc(count * target), count * target);
        for (size_t i = 0; i < count; i++)
            make(type->target, buffer + i * target);
        return buffer;
    case 's': /* bytes in hexadecimal, a NUL, and room for more */
        count = (length - 1) / 2;
        length = (size_t)read_int();
        buffer = remember(malloc(count + 1 + length), count + 1 + length);
        put_hex_bytes(buffer, token + 1, count);
        memset(buffer + count, 0, 1 + length);
        return buffer;
    case 'x': /* bytes only */
        count = (length - 1) / 2;
        buffer = remember(malloc(count), count);
        put_hex_bytes(buffer, token + 1, count);
        return buffer;
    case '=':
        return equimut_function(atoi(token + 1));
    case '!':
    case '%':
        return make_by_function(token, target);
    case '~':
        return make_file(token, length);
    }
    return NULL;
}

static void make_bits(const Member *member, char *place) {
    unsigned long long number = (unsigned long long)read_int();
    for (int i = 0; i < member->bits; i++) {
        int at = member->first_bit + i;
        place[at / 8] &= (char)~(1 << at % 8);
        place[at / 8] |= (char)((number >> i & 1) << at % 8);
    }
}

static void make(int number, char *place) {
    const Type *type = &types[number];
    depth_of_making++;
    if (type->kind == 'f') {
        double wide = read_double();
        float narrow = (float)wide;
        memcpy(place, type->size == sizeof narrow ? (void *)&narrow : (void *)&wide, type->size);
    } else if (type->kind == 'p') {
        void *pointer = make_pointer(type);
        memcpy(place, &pointer, sizeof pointer);
    } else if (type->kind == 'a') {
        for (int i = 0; i < type->count; i++)
            make(type->target, place + (size_t)i * types[type->target].size);
    } else if (type->kind == 's' || type->kind == 'n') {
        memset(place, 0, type->size);
        for (int i = 0; i < type->count; i++) {
            if (type->members[i].bits)
                make_bits(&type->members[i], place);
            else
                make(type->members[i].type, place + type->members[i].offset);
        }
    } else if (type->kind == 'o' || type->kind == 'L' || type->kind == 'v' || type->kind == 'F') {
        memset(place, 0, type->size);
    } else {
        long long value = read_int();
        memcpy(place, &value, type->size);
    }
    depth_of_making--;
}

/* ---- what can be seen of a call ---- */

extern int __sanitizer_get_ownership(const volatile void *pointer);
extern size_t __sanitizer_get_allocated_size(const volatile void *pointer);
extern void *__asan_region_is_poisoned(void *start, size_t size);

static const char *subject;
static const void *visited[MOST_VISITED];
static int visited_count;

static void look(int type, char *place, const char *path, int depth);

static void facet(const char *path, char kind, const char *text, size_t length) {
    char letter[2] = {kind, '\0'};
    if (facet_count++ >= MOST_FACETS)
        return;
    put(&facets, facet_count > 1 ? ",[" : "[");
    put_json(&facets, subject, strlen(subject));
    put(&facets, ",");
    put_json(&facets, path, strlen(path));
    put(&facets, ",");
    put_json(&facets, letter, 1);
    put(&facets, ",");
    put_json(&facets, text, length);
    put(&facets, "]");
}

static void say(const char *path, char kind, const char *text) {
    facet(path, kind, text, strlen(text));
}

static int readable(char *start, size_t size) {
    volatile char byte;
    volatile int fine = 0;
    if (size == 0)
        return 1;
    probing = 1;
    if (sigsetjmp(recover, 1) == 0) {
        fine = __asan_region_is_poisoned(start, size) == NULL;
        byte = fine ? start[0] : 0;
        byte = fine ? start[size - 1] : 0;
    } else {
        fine = 0;
    }
    (void)byte;
    probing = 0;
    return fine;
}

/* Bytes from here to the end of the memory that was asked for; 0 where nobody knows. */
static size_t bytes_behind(char *pointer, int *argument) {
    *argument = -1;
    for (int i = 0; i < made_count; i++) {
        if (pointer >= made[i].start && pointer <= made[i].start + made[i].bytes) {
            *argument = made[i].argument;
            return (size_t)(made[i].start + made[i].bytes - pointer);
        }
    }
    return __sanitizer_get_ownership(pointer) ? __sanitizer_get_allocated_size(pointer) : 0;
}

static unsigned long long digest_of(const char *bytes, size_t count) {
    unsigned long long digest = 0xcbf29ce484222325ULL;
    for (size_t i = 0; i < count; i++)
        digest = (digest ^ (unsigned char)bytes[i]) * 0x100000001b3ULL;
    return digest;
}

static void look_at_elements(int type, char *start, size_t count, const char *path, int depth) {
    size_t size = types[type].size, shown = count < MOST_ELEMENTS ? count : MOST_ELEMENTS;
    char inner[512], rest[40];
    for (size_t i = 0; i < shown; i++) {
        snprintf(inner, sizeof inner, "%s[%zu]", path, i);
        look(type, start + i * size, inner, depth);
    }
    if (count > shown && types[type].kind != 'p' && types[type].kind != 's') {
        snprintf(rest, sizeof rest, "%llx", digest_of(start + shown * size, (count - shown) * size));
        snprintf(inner, sizeof inner, "%s[...]", path);
        say(inner, '?', rest);
    }
}

static size_t text_length(char *start, size_t limit) {
    for (size_t i = 0; i < limit; i++)
        if (!readable(start + i, 1) || start[i] == '\0')
            return i;
    return limit;
}

static void look_at_characters(int type, char *start, size_t known, const char *path, int depth) {
    size_t limit = known && known < MOST_TEXT ? known : MOST_TEXT, length;
    length = text_length(start, limit);
    if (length < limit && readable(start + length, 1)) {
        facet(path, 's', start, length);
        length++;
    }
    if (known > length || (known && types[type].kind == 'H'))
        look_at_elements(type, start, known, path, depth);
}

static void look_at_function(char *pointer, const char *path) {
    char text[24];
    for (int i = 0; i < function_count; i++) {
        if (equimut_function(i) == pointer) {
            snprintf(text, sizeof text, "%d", i);
            say(path, '&', text);
            return;
        }
    }
    say(path, '?', "another function");
}

static void look_at_file(FILE *file, const char *path) {
    char text[MOST_TEXT];
    long at = ftell(file);
    rewind(file);
    size_t count = fread(text, 1, sizeof text, file);
    facet(path, memchr(text, '\0', count) == NULL ? '~' : '?', text, count);
    fseek(file, at, SEEK_SET);
}

static void look_behind(const Type *type, char *pointer, const char *path, int depth) {
    const Type *target = &types[type->target];
    char inner[512], text[64];
    int argument;
    size_t known;
    if (pointer == NULL || target->kind == 'F') {
        pointer == NULL ? say(path, '0', "null") : look_at_function(pointer, path);
        return;
    }
    known = bytes_behind(pointer, &argument);
    if (argument >= 0 && strcmp(path, "{}") == 0 && strncmp(subject, "argument", 8) == 0)
        argument = -1; /* an argument is not told as itself */
    if (argument >= 0) {
        for (int i = 0; i < made_count; i++)
            if (made[i].argument == argument && pointer >= made[i].start)
                snprintf(text, sizeof text, "%d %td", argument, pointer - made[i].start);
        say(path, '@', text);
        return;
    }
    for (int i = 0; i < visited_count; i++) {
        if (visited[i] == pointer) {
            snprintf(text, sizeof text, "object %d", i);
            say(path, '?', text);
            return;
        }
    }
    if (visited_count < MOST_VISITED)
        visited[visited_count++] = pointer;
    say(path, '*', "a pointer");
    if (target->kind == 'L' || target->kind == 'o') {
        if (target->kind == 'L' && readable(pointer, 200))
            look_at_file((FILE *)pointer, path);
        return;
    }
    if (depth >= DEEPEST)
        return;
    if (!readable(pointer, known ? known : target->size ? target->size : 1)) {
        say(path, '?', "memory that is not there");
        return;
    }
    if (target->kind == 'v') {
        snprintf(inner, sizeof inner, "((unsigned char *)%s)", path);
        for (int i = 0; i < type_count && known; i++) {
            if (types[i].kind == 'H') {
                look_at_elements(i, pointer, known, inner, depth + 1);
                break;
            }
        }
    } else if (target->kind == 'h' || target->kind == 'H') {
        look_at_characters(type->target, pointer, known, path, depth + 1);
    } else if (target->kind == 's' && known < 2 * target->size) {
        for (int i = 0; i < target->count; i++) {
            Member *member = &target->members[i];
            snprintf(inner, sizeof inner, "%s->%s", path, member->name);
            if (member->bits == 0)
                look(member->type, pointer + member->offset, inner, depth + 1);
        }
    } else if (target->size) {
        look_at_elements(type->target, pointer, known ? known / target->size : 1, path, depth + 1);
    }
}

static void look(int number, char *place, const char *path, int depth) {
    const Type *type = &types[number];
    char text[64], inner[512];
    unsigned long long bits = 0;
    unsigned shift = 64 - 8 * (unsigned)(type->size ? type->size : 1);
    switch (type->kind) {
    case 'i':
    case 'h':
    case 'u':
    case 'H':
    case 'b':
        memcpy(&bits, place, type->size);
        if (type->kind == 'i' || type->kind == 'h')
            snprintf(text, sizeof text, "%lld", (long long)(bits << shift) >> shift);
        else
            snprintf(text, sizeof text, "%llu", bits);
        say(path, 'n', text);
        return;
    case 'f': {
        float narrow;
        double wide;
        Text shown = {0};
        memcpy(type->size == sizeof narrow ? (void *)&narrow : (void *)&wide, place, type->size);
        put_double(&shown, type->size == sizeof narrow ? narrow : wide,
                   type->size == sizeof narrow);
        say(path, type->size == sizeof narrow ? 'e' : 'd', shown.text);
        free(shown.text);
        return;
    }
    case 'p': {
        char *pointer;
        memcpy(&pointer, place, sizeof pointer);
        look_behind(type, pointer, path, depth);
        return;
    }
    case 's':
        for (int i = 0; i < type->count; i++) {
            Member *member = &type->members[i];
            snprintf(inner, sizeof inner, "%s.%s", path, member->name);
            if (member->bits == 0)
                look(member->type, place + member->offset, inner, depth);
        }
        return;
    case 'a':
        look_at_elements(type->target, place, (size_t)type->count, path, depth);
    }
}

/* ---- one call ---- */

static char result_room[65536];

static void look_at_all(const Function *function, char **room) {
    char name[32];
    visited_count = 0;
    subject = "result";
    if (types[function->result].kind != 'v')
        look(function->result, result_room, "{}", 0);
    for (int i = 0; i < function->count; i++) {
        char kind = types[function->parameters[i]].kind;
        snprintf(name, sizeof name, "argument %d", i);
        subject = name;
        if (kind == 'p')
            look(function->parameters[i], room[i], "{}", 0);
    }
    subject = "global";
    for (int i = 0; i < variable_count; i++)
        look(variables[i].type, equimut_variable(i), variables[i].name, 1);
}

static void put_number(Text *to, const char *before, long long number) {
    char text[64];
    snprintf(text, sizeof text, "%s%lld", before, number);
    put(to, text);
}

static void put_freed(void) {
    const char *comma = "";
    put(&seen, ",\"freed\":[");
    for (int i = 0; i < made_count; i++) {
        if (made[i].bytes && !readable(made[i].start, 1)) {
            put_number(&seen, comma, i);
            comma = ",";
        }
    }
    put(&seen, "]");
}

static unsigned long long describe(void) {
    const char *comma = "";
    clear(&seen);
    put(&seen, "{\"outcome\":");
    put_json(&seen, outcome, strlen(outcome));
    put(&seen, ",\"detail\":");
    put_json(&seen, detail, strlen(detail));
    if (strcmp(outcome, "returns") == 0 || strcmp(outcome, "exits") == 0) {
        put(&seen, ",\"facets\":[");
        put_bytes(&seen, facets.text, facets.used);
        put(&seen, "]");
        put_output(",\"output\":", printed, (size_t)ftell(captured));
        put_output(",\"errors\":", printed_errors, (size_t)ftell(captured_errors));
    }
    unsigned long long digest = digest_of(seen.text, seen.used);
    put_freed();
    put_number(&seen, ",\"steps\":", steps);
    put(&seen, ",\"new\":[");
    put_bytes(&seen, fresh.text, fresh.used);
    put(&seen, "],\"constants\":[");
    put_bytes(&seen, learned.text, learned.used);
    put(&seen, "],\"places\":[");
    for (int i = 0; i < place_count; i++) {
        if (reached[i]) {
            put_number(&seen, comma, i);
            comma = ",";
        }
    }
    char text[40];
    snprintf(text, sizeof text, "],\"digest\":\"%llu\"}", digest);
    put(&seen, text);
    return digest;
}

/* The variables of the program, as they were before the first call. */
static char *kept;

static void copy_bytes(char *to, const char *from, size_t count) {
    /* Not `memcpy`: the sanitizer looks at its arguments, and there is space between variables. */
#ifdef __x86_64__
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
#else
    for (volatile char *place = to; count > 0; count--)
        *place++ = *from++;
#endif
}

static unsigned long long observe(int input, long long allowed) {
    static char *room[MOST_PARAMETERS];
    int function;
    copy_bytes(data_start, kept, (size_t)(data_end - data_start));
    capture();
    current_input = input;
    cursor = inputs[input];
    made_count = visited_count = facet_count = fresh_count = learned_count = 0;
    clear(&facets);
    clear(&fresh);
    clear(&learned);
    memset(reached, 0, (size_t)place_count);
    memset(result_room, 0, 256);
    place_count = 0;
    snprintf(outcome, sizeof outcome, "returns");
    detail[0] = '\0';
    steps = 0;
    budget = allowed;
    function = (int)read_int();
    struct itimerval timer = {{0, 0}, {CALL_SECONDS, 0}};
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
    if (sigsetjmp(leave, 1) == 0) {
        in_call = 1;
        depth_of_making = 0;
        for (int i = 0; i < functions[function].count; i++) {
            argument_now = i;
            room[i] = calloc(1, types[functions[function].parameters[i]].size + 16);
            make(functions[function].parameters[i], room[i]);
        }
        equimut_invoke(function, (void **)room, result_room);
        in_call = 0;
        look_at_all(&functions[function], room);
    }
    release();
    return describe();
}

static void child(int first) {
    long long allowed;
    for (int i = first; i < input_count; i++) {
        int input = backwards ? input_count - 1 - i : i;
        shared->at = i;
        if (expected != NULL && steps_of[input] < 0)
            continue;
        allowed = expected == NULL ? origin_steps : step_factor * steps_of[input];
        allowed = expected != NULL && allowed < least_steps ? least_steps : allowed;
        unsigned long long digest = observe(input, allowed);
        shared->at = i;
        if (expected == NULL || digest != expected[input])
            note_progress("seen", seen.text);
        else
            note_progress("same", "");
        if (strcmp(outcome, "returns") != 0 ||
            __sanitizer_get_current_allocated_bytes() > RENEW_BYTES)
            _exit(RENEW);
    }
    _exit(0);
}

/* ---- the parent ---- */

extern void __asan_set_error_report_callback(void (*callback)(const char *));

static void read_expected(const char *path) {
    int count;
    char **rows = read_rows(path, &count);
    expected = calloc((size_t)input_count + 1, sizeof *expected);
    steps_of = calloc((size_t)input_count + 1, sizeof *steps_of);
    for (int i = 0; i < count && i < input_count; i++)
        sscanf(rows[i], "%llu %lld", &expected[i], &steps_of[i]);
}

static void run_all(int most_crashes) {
    int first = 0, troubles = 0, crashes = 0;
    while (first < input_count && troubles < MOST_TROUBLES && crashes < most_crashes) {
        int status = 0;
        pid_t pid = fork();
        if (pid < 0)
            exit(9);
        if (pid == 0) {
            prepare_child(report_to);
            signal(SIGVTALRM, SIG_DFL);
            child(first);
        }
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        if (code == 0)
            return;
        first = shared->at + 1;
        crashes += code == 7 || code == RENEW;
        if (code != 7 && code != RENEW) {
            current_input = backwards ? input_count - first : first - 1;
            troubles++;
            note_progress("stop", code == -SIGALRM || code == -SIGVTALRM ? "passed the time limit"
                                  : code == 6 ? "passed the memory limit"
                                              : "ended the process");
        }
    }
}

/* Arguments: tables, inputs, results, expected or -, origin steps, least steps, factor, seconds,
   megabytes, backwards, crashes after which it is enough. */
int equimut_main(int count, char **words, char *code, char *data, char *end) {
    if (count < 12)
        return 9;
    code_start = code;
    data_start = data;
    data_end = end;
    read_tables(words[1]);
    inputs = read_rows(words[2], &input_count);
    if (strcmp(words[4], "-") != 0)
        read_expected(words[4]);
    origin_steps = atoll(words[5]);
    least_steps = atoll(words[6]);
    step_factor = atoll(words[7]);
    wall_seconds = atof(words[8]);
    memory_limit = (size_t)atoll(words[9]) << 20;
    backwards = atoi(words[10]);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    report_to = open(words[3], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    kept = malloc((size_t)(data_end - data_start));
    if (shared == MAP_FAILED || report_to < 0 || kept == NULL)
        return 9;
    copy_bytes(kept, data_start, (size_t)(data_end - data_start));
    __asan_set_error_report_callback(on_memory_error);
    run_all(atoi(words[11]));
    current_input = -1;
    note_progress("end", "");
    return 0;
}
