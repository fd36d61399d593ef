/* Ctrl-C (SIGINT), and SIGTERM and SIGHUP likewise. A simulation ends after the step that it is in,
 * and what it has is printed; a file that is being written is removed. */
#ifndef PC_CONSOLE_INTERRUPT_H
#define PC_CONSOLE_INTERRUPT_H

/* From now on the first Ctrl-C is noted, and the second one ends the program. */
void catch_interrupts(void);
int was_interrupted(void);

/* Creates the file at `path`. From the moment it is there, Ctrl-C removes it and ends the program
 * with EXIT_INTERRUPTED. The text has to stay where it is. The descriptor, or -1 with errno. */
int open_unfinished(const char* path);

/* From now on, Ctrl-C leaves that file alone: it is complete, or has gone. */
void keep_unfinished(void);

#endif
