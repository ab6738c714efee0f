/* What the text around a file of a project gives the harness, and what instrumented code calls. */
#ifndef EQUIMUT_PROJECT_H
#define EQUIMUT_PROJECT_H

/* A place of the file is reached. */
void equimut_at(int place);
/* The end of a function that has to return a value was reached. */
void equimut_missing_return(void);

/* Generated for every file: its functions and variables by number. */
void equimut_invoke(int function, void **arguments, void *result);
void *equimut_function(int function);
void *equimut_variable(int variable);

int equimut_main(int count, char **words, char *code, char *data, char *end);

#endif
