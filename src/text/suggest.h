/* "Did you mean ...?": the name nearest to one that does not exist, and the list of those that
 * do. */
#ifndef PC_TEXT_SUGGEST_H
#define PC_TEXT_SUGGEST_H

typedef struct pc_suggestion {
  const char* wanted;
  char best[64];
  int distance; /* of the best */
  char list[256];
  int full; /* the list has no more space */
  char text[400];
} pc_suggestion;

/* `wanted` must outlive the suggestion. */
void pc_suggest_begin(pc_suggestion* s, const char* wanted);
void pc_suggest_add(pc_suggestion* s, const char* name);

/* "; did you mean 'gravity'? Allowed: a, b, c": `what` is "Allowed". "" if nothing was added. */
const char* pc_suggest_text(pc_suggestion* s, const char* what);

#endif
