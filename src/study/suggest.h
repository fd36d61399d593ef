/* "Did you mean": the name nearest to a wrong one. */
#ifndef PC_STUDY_SUGGEST_H
#define PC_STUDY_SUGGEST_H

/* " (did you mean 'x'?)" for the nearest of the names shown to it, or "". They live as long as
 * it. */
typedef struct suggestion {
  const char* wrong;
  int distance;
  const char* name; /* the nearest */
  char text[64];
} suggestion;

suggestion suggestion_for(const char* wrong);
void suggest(suggestion* s, const char* name);
const char* suggestion_text(const suggestion* s);

#endif
