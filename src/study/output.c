#include "study/output.h"

#include <stdlib.h>
#include <string.h>

#include "study/control_character.h"
#include "study/number.h"

static char* copy(const char* text)
{
  size_t size = strlen(text) + 1;
  char* to = malloc(size);
  return to ? memcpy(to, text, size) : NULL;
}

static void add(output* out, const char* key, const char* text, output_kind kind)
{
  if (out->count == out->capacity) {
    int capacity = out->capacity ? 2 * out->capacity : 64;
    entry* grown = realloc(out->entry, (size_t)capacity * sizeof *grown);
    if (!grown) {
      out->failed = 1;
      return;
    }
    out->entry = grown;
    out->capacity = capacity;
  }
  entry e = {copy(key), copy(text), kind};
  if (!e.key || !e.text) {
    free(e.key);
    free(e.text);
    out->failed = 1;
    return;
  }
  out->entry[out->count++] = e;
}

void output_text(output* out, const char* key, const char* text)
{
  add(out, key, text, OUTPUT_TEXT);
}

void output_number(output* out, const char* key, double value)
{
  char text[40];
  format_number(value, text, sizeof text);
  add(out, key, text, OUTPUT_NUMBER);
}

void output_count(output* out, const char* key, long value)
{
  char text[40];
  snprintf(text, sizeof text, "%ld", value);
  add(out, key, text, OUTPUT_NUMBER);
}

void output_list(output* out, const char* key)
{
  add(out, key, "", OUTPUT_LIST);
}

/* Items are kept in one text, each ended by ITEM_END. */
static const char ITEM_END = '\x1f';

void output_item(output* out, const char* text)
{
  if (out->failed || !out->count || out->entry[out->count - 1].kind != OUTPUT_LIST) return;
  entry* list = &out->entry[out->count - 1];
  size_t before = strlen(list->text), length = strlen(text);
  char* longer = realloc(list->text, before + length + 2);
  if (!longer) {
    out->failed = 1;
    return;
  }
  for (size_t i = 0; i < length; i++) longer[before + i] = text[i] == ITEM_END ? ' ' : text[i];
  longer[before + length] = ITEM_END;
  longer[before + length + 1] = '\0';
  list->text = longer;
}

void output_free(output* out)
{
  for (int i = 0; i < out->count; i++) {
    free(out->entry[i].key);
    free(out->entry[i].text);
  }
  free(out->entry);
  *out = (output){0};
}

static void put_plain(FILE* to, const char* text, size_t count)
{
  int length = 1;
  for (const char* end = text + count; text < end; text += length) {
    unsigned code = control_code(text, &length);
    if (code == '\n')
      fputs("\\n", to);
    else if (code == '\t')
      fputs("\\t", to);
    else if (code)
      fprintf(to, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
    else
      fputc(*text, to);
  }
}

void put_plain_text(FILE* to, const char* text)
{
  put_plain(to, text, strlen(text));
}

static void print_line(FILE* to, const char* key, const char* text)
{
  put_plain_text(to, key);
  fputs(": ", to);
  put_plain_text(to, text);
  fputc('\n', to);
}

/* A line for each item, or "none". */
static void print_list(FILE* to, const entry* e)
{
  if (!*e->text) print_line(to, e->key, "none");
  int number = 1;
  for (const char *item = e->text, *end; *item; item = end + 1, number++) {
    end = strchr(item, ITEM_END);
    put_plain_text(to, e->key);
    fprintf(to, ".%d: ", number);
    put_plain(to, item, (size_t)(end - item));
    fputc('\n', to);
  }
}

void output_print_lines(const output* out, FILE* to)
{
  if (out->failed) return;
  for (int i = 0; i < out->count; i++) {
    const entry* e = &out->entry[i];
    if (e->kind == OUTPUT_LIST)
      print_list(to, e);
    else
      print_line(to, e->key, e->text);
  }
}

static void print_quoted(FILE* to, const char* text, size_t length)
{
  fputc('"', to);
  int taken = 1;
  for (size_t i = 0; i < length; i += (size_t)taken) {
    char c = text[i];
    unsigned code = control_code(text + i, &taken);
    if (code)
      fprintf(to, "\\u%04x", code);
    else if (c == '"' || c == '\\')
      fprintf(to, "\\%c", c);
    else
      fputc(c, to);
  }
  fputc('"', to);
}

static void print_array(FILE* to, const char* items)
{
  fputc('[', to);
  for (const char *item = items, *end; *item; item = end + 1) {
    end = strchr(item, ITEM_END);
    if (item != items) fputs(", ", to);
    print_quoted(to, item, (size_t)(end - item));
  }
  fputc(']', to);
}

static void print_value(FILE* to, const entry* e)
{
  if (e->kind == OUTPUT_LIST)
    print_array(to, e->text);
  else if (e->kind == OUTPUT_TEXT)
    print_quoted(to, e->text, strlen(e->text));
  else
    fputs(e->text, to);
}

/* Does entry i begin with the same `length` characters as `key`? */
static int shares(const output* out, int i, const char* key, size_t length)
{
  return strncmp(out->entry[i].key, key, length) == 0;
}

/* What a name at one level is: seen before, a value, the beginning of others, or both. */
typedef struct group {
  int first; /* no earlier entry has this name */
  int value;
  int members;
} group;

static group look(const output* out, int i, size_t end)
{
  group g = {1, 0, 0};
  const char* key = out->entry[i].key;
  for (int j = 0; j < out->count; j++) {
    if (!shares(out, j, key, end)) continue;
    char after = out->entry[j].key[end];
    if (after == '\0') g.value = 1;
    if (after == '.') g.members = 1;
    if ((after == '\0' || after == '.') && j < i) g.first = 0;
  }
  return g;
}

static void indent(FILE* to, int depth)
{
  for (int i = 0; i < depth; i++) fputs("  ", to);
}

/* All entries whose key begins with the first `prefix` characters of entry `of`. */
static void print_level(const output* out, FILE* to, int of, size_t prefix, int depth)
{
  const char* separator = "\n";
  fputc('{', to);
  for (int i = 0; i < out->count; i++) {
    const char* key = out->entry[i].key;
    if (!shares(out, i, out->entry[of].key, prefix)) continue;
    const char* rest = key + prefix;
    size_t length = strcspn(rest, ".");
    group g = look(out, i, prefix + length);
    int flat = g.value && g.members; /* both a value and a beginning: print all of them flat */
    if (!flat && !g.first) continue;
    fputs(separator, to);
    separator = ",\n";
    indent(to, depth + 1);
    print_quoted(to, rest, flat ? strlen(rest) : length);
    fputs(": ", to);
    if (flat || rest[length] == '\0')
      print_value(to, &out->entry[i]);
    else
      print_level(out, to, i, prefix + length + 1, depth + 1);
  }
  fputc('\n', to);
  indent(to, depth);
  fputc('}', to);
}

void output_print_json(const output* out, FILE* to)
{
  if (out->failed) return;
  if (out->count)
    print_level(out, to, 0, 0, 0);
  else
    fputs("{}", to);
  fputc('\n', to);
}
