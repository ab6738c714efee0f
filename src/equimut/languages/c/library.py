"""Names of C's standard library that behave like functions and constants, macros or not."""

LIBRARY = frozenset(
    {
        "BUFSIZ", "CHAR_BIT", "CHAR_MAX", "CHAR_MIN", "DBL_EPSILON", "DBL_MAX", "DBL_MIN", "EOF",
        "EXIT_FAILURE", "EXIT_SUCCESS", "FLT_EPSILON", "FLT_MAX", "FLT_MIN", "INFINITY",
        "INT16_MAX", "INT16_MIN", "INT32_MAX", "INT32_MIN", "INT64_MAX", "INT64_MIN", "INT8_MAX",
        "INT8_MIN", "INT_MAX", "INT_MIN", "LLONG_MAX", "LLONG_MIN", "LONG_MAX", "LONG_MIN", "NAN",
        "NULL", "RAND_MAX", "SCHAR_MAX", "SCHAR_MIN", "SHRT_MAX", "SHRT_MIN", "SIZE_MAX",
        "UCHAR_MAX", "UINT16_MAX", "UINT32_MAX", "UINT64_MAX", "UINT8_MAX", "UINT_MAX",
        "ULLONG_MAX", "ULONG_MAX", "USHRT_MAX", "abort", "abs", "acos", "asin", "assert", "atan",
        "atan2", "atexit", "atof", "atoi", "atol", "atoll", "bsearch", "calloc", "cbrt", "ceil",
        "ceilf", "clock", "cos", "cosh", "difftime", "div", "errno", "exit", "exp", "fabs",
        "fabsf", "false", "fclose", "feof", "ferror", "fflush", "fgetc", "fgets", "floor",
        "floorf", "fmax", "fmin", "fmod", "fopen", "fprintf", "fputc", "fputs", "fread", "free",
        "frexp", "fscanf", "fseek", "ftell", "fwrite", "getchar", "getenv", "hypot", "isalnum",
        "isalpha", "isblank", "iscntrl", "isdigit", "isfinite", "isgraph", "isinf", "islower",
        "isnan", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "labs", "ldexp", "ldiv",
        "llabs", "log", "log10", "log2", "lround", "malloc", "memchr", "memcmp", "memcpy",
        "memmove", "memset", "mktime", "modf", "perror", "pow", "powf", "printf", "putchar",
        "puts", "qsort", "rand", "realloc", "remove", "rename", "rewind", "round", "scanf",
        "signbit", "sin", "sinh", "snprintf", "sprintf", "sqrt", "sqrtf", "srand", "sscanf",
        "stderr", "stdin", "stdout", "strcasecmp", "strcat", "strchr", "strcmp", "strcoll",
        "strcpy", "strcspn", "strdup", "strlen", "strncasecmp", "strncat", "strncmp", "strncpy",
        "strnlen", "strpbrk", "strrchr", "strspn", "strstr", "strtod", "strtof", "strtok",
        "strtol", "strtoll", "strtoul", "strtoull", "system", "tan", "tanh", "time", "tolower",
        "toupper", "true", "trunc", "ungetc",
    }
)  # fmt: skip
