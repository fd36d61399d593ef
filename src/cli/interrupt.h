/* Ctrl-C. A simulation ends after the step that it is in, and what it has is printed; a file that is
 * being written is removed. */
#ifndef PC_CLI_INTERRUPT_H
#define PC_CLI_INTERRUPT_H

/* From now on the first Ctrl-C is noted, and the second one ends the program. */
void watch_for_interrupt(void);
int was_interrupted(void);

/* From now on, Ctrl-C removes the file at `path` and ends the program with EXIT_INTERRUPTED; NULL: the
 * file is complete. The text has to stay where it is until then. */
void watch_unfinished(const char* path);

#endif
