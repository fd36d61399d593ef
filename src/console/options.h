/* Options: one table per command feeds the parser, --help, the man page and the completion. */
#ifndef PC_CONSOLE_OPTIONS_H
#define PC_CONSOLE_OPTIONS_H

typedef struct option {
  const char* name;  /* without the dashes */
  const char* value; /* what it takes, such as "FILE.h5"; NULL: nothing */
  const char* help;
  /* Takes it; an exit code, EXIT_DONE if all is well. `into` is the command's own structure. */
  int (*take)(void* into, const char* name, char* value);
} option;

typedef struct option_set {
  const option* option;
  int count;
  /* Settings of the schemes (pc_setting_at) are options too; NULL: they are not. */
  int (*take_setting)(void* into, const char* key, char* value);
  /* A word that is no option: a model, a file. */
  int (*take_word)(void* into, char* word);
} option_set;

/* Reads the words behind the command's name, argv[0]; texts in argv are split at '='. Behind "--"
 * there are no options. An exit code; what is wrong has been said. */
int read_options(const option_set* set, int argc, char** argv, void* into);

/* All options of a set, settings included: the i-th, or 0 past the last. `schemes` (may be NULL)
 * says which schemes read it, "" for all or none. */
int option_at(const option_set* set, int i, const char** name, const char** value,
              const char** help, const char** schemes);

/* The letter that stands for an option ('o' for "out": -o FILE), or 0. A letter means the same
 * option in all commands that have it. */
char option_letter(const char* name);

/* The options, one a line, in groups where there are many. */
void print_options(const option_set* set);

#endif
