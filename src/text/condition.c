#include "text/condition.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct condition {
  const pc_scope* scope;
  const pc_node* node;
  pc_error* error;
} condition;

/* Where a word stands outside of brackets, with spaces around it, or NULL. */
static char* find_word(char* text, const char* word)
{
  int depth = 0;
  size_t length = strlen(word);
  for (char* c = text; *c; c++) {
    depth += (*c == '(') - (*c == ')');
    if (depth == 0 && *c == ' ' && strncmp(c + 1, word, length) == 0 && c[length + 1] == ' ')
      return c;
  }
  return NULL;
}

typedef enum relation { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL, NONE } relation;

/* The relation outside of brackets, and where its text begins and ends. */
static relation find_relation(char* text, char** begin, char** end)
{
  static const struct {
    const char* text;
    relation relation;
  } table[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"==", EQUAL},
               {"!=", NOT_EQUAL},  {"<", LESS},           {">", GREATER}};
  int depth = 0;
  for (char* c = text; *c; c++) {
    depth += (*c == '(') - (*c == ')');
    for (size_t i = 0; depth == 0 && i < sizeof table / sizeof *table; i++) {
      size_t length = strlen(table[i].text);
      if (strncmp(c, table[i].text, length) != 0) continue;
      *begin = c;
      *end = c + length;
      return table[i].relation;
    }
  }
  return NONE;
}

static pc_status number(const condition* c, const char* text, double* value)
{
  while (*text == ' ') text++;
  if (!*text)
    return pc_fail_at(c->error, c->node,
                      "expected a condition such as i > 0; a number is missing in '%.60s'",
                      c->node->text);
  pc_status status = pc_number_of_text(c->scope, text, value, c->error);
  return pc_place_error(c->error, c->node, status);
}

static pc_status comparison(const condition* c, char* text, int* holds)
{
  char *begin = NULL, *end = NULL;
  relation found = find_relation(text, &begin, &end);
  double a = 0, b = 0;
  if (begin) *begin = 0;
  PC_TRY(number(c, text, &a));
  if (end) PC_TRY(number(c, end, &b));
  switch (found) {
    case LESS: *holds = a < b; break;
    case LESS_EQUAL: *holds = a <= b; break;
    case GREATER: *holds = a > b; break;
    case GREATER_EQUAL: *holds = a >= b; break;
    case EQUAL: *holds = a == b; break;
    case NOT_EQUAL: *holds = a != b; break;
    case NONE: *holds = a != 0; break;
  }
  return PC_OK;
}

/* Conditions tied by one word; the weaker word is split first. Every part is read, so that errors
 * do not hide. */
static pc_status parts(const condition* c, char* text, int any, int* holds)
{
  const char* word = any ? "or" : "and";
  *holds = !any;
  for (char* next; text; text = next) {
    int part = 0;
    char* end = find_word(text, word);
    next = end ? end + strlen(word) + 1 : NULL;
    if (end) *end = 0;
    PC_TRY(any ? parts(c, text, 0, &part) : comparison(c, text, &part));
    *holds = any ? *holds || part : *holds && part;
  }
  return PC_OK;
}

pc_status pc_condition_of_node(const pc_scope* scope, const pc_node* node, int* holds,
                               pc_error* error)
{
  condition c = {scope, node, error};
  if (node->kind != PC_NODE_SCALAR || !node->text[0])
    return pc_fail_at(error, node, "expected a condition such as i > 0, found %s",
                      pc_node_describe(node));
  *holds = strcmp(node->text, "true") == 0;
  if (*holds || strcmp(node->text, "false") == 0) return PC_OK;
  char* text = pc_copy_text(node->text);
  if (!text) return pc_no_memory(error);
  for (char* k = text; *k; k++)
    if (*k == '\t' || *k == '\n' || *k == '\r') *k = ' ';
  pc_status status = parts(&c, text, 1, holds);
  free(text);
  return status;
}
