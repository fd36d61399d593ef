/* Numbers and expressions of a model file, and the names they may use. */
#ifndef PC_TEXT_EXPRESSION_H
#define PC_TEXT_EXPRESSION_H

#include "formula/formula.h"
#include "text/suggest.h"
#include "text/tree.h"

/* What names mean at some place of the file. `find` is a pc_lookup; `list` adds the names it knows
 * to a suggestion. If a name is not found, `outer` (may be NULL) is asked. */
typedef struct pc_scope pc_scope;

struct pc_scope {
  pc_lookup* find;
  void (*list)(const void* user, pc_suggestion* names);
  void* user;
  const pc_scope* outer;
};

/* Parses a text. `error->column` is the position within the text, from 1. */
pc_status pc_parse_text(const pc_scope* scope, const char* text, pc_pool* pool, pc_expr* expr,
                        pc_error* error);

/* Parses a scalar node; an error has its place in the file. */
pc_status pc_parse_node(const pc_scope* scope, const pc_node* node, pc_pool* pool, pc_expr* expr,
                        pc_error* error);

/* Whether a text needs parsing: it is neither a plain number nor a `nan` or an `inf`. */
int pc_is_expression(const char* text);

/* The finite number that a text or a node stands for. */
pc_status pc_number_of_text(const pc_scope* scope, const char* text, double* value,
                            pc_error* error);
pc_status pc_number_of_node(const pc_scope* scope, const pc_node* node, double* value,
                            pc_error* error);

/* The value of an expression without variables. */
pc_status pc_evaluate_constant(const pc_pool* pool, pc_expr expr, double* value, pc_error* error);

#endif
