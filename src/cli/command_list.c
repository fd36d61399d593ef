/* percuss list: schemes, solvers, models, elements, items */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "papers/items.h"
#include "study/lines.h"
#include "study/models.h"
#include "study/output.h"

static int list_schemes(const char* name, FILE* to)
{
  (void)name;
  for (const char* const* s = pc_scheme_names(); *s; s++)
    fprintf(to, "%-19s %s\n", *s, pc_scheme_summary(*s));
  return EXIT_DONE;
}

static int list_solvers(const char* name, FILE* to)
{
  (void)name;
  for (const char* const* s = pc_solver_names(); *s; s++)
    fprintf(to, "%-16s %s\n", *s, pc_solver_summary(*s));
  return EXIT_DONE;
}

static int is_model(const struct dirent* file)
{
  const char* dot = strrchr(file->d_name, '.');
  return dot && !strcmp(dot, ".yaml");
}

static void print_model(const char* folder, const char* file, FILE* to)
{
  char path[PATH_MAX + NAME_MAX + 2];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  pc_model* model = NULL;
  pc_error error = {0};
  int length = (int)strlen(file) - 5; /* without .yaml */
  if (pc_model_read(path, NULL, 0, &model, &error) == PC_OK) {
    fprintf(to, "%-27.*s ", length, file);
    put_plain_text(to, pc_model_title(model));
    fputc('\n', to);
  } else {
    fprintf(to, "%-27.*s (does not load: line %d: %s)\n", length, file, error.line, error.text);
  }
  pc_model_destroy(model);
}

static int list_models(const char* name, FILE* to)
{
  (void)name;
  char folder[PATH_MAX];
  if (!model_folder(folder, sizeof folder))
    return complain(EXIT_MODEL, "no folder 'models' here or beside the program");
  struct dirent** file;
  int count = scandir(folder, &file, is_model, alphasort);
  if (count < 0) return complain(EXIT_MODEL, "cannot read the folder %s", folder);
  for (int i = 0; i < count; i++) {
    print_model(folder, file[i]->d_name, to);
    free(file[i]);
  }
  free(file);
  return EXIT_DONE;
}

enum { KEY_WIDTH = 24 };

/* The type of a key and whether it is required, or its default; below it what it means. */
static void print_keys(int kind, FILE* to)
{
  pc_element_key key;
  for (int i = 0; pc_model_element_key(kind, i, &key); i++)
    fprintf(to, "  %-*s %s; %s\n%*s%s\n", KEY_WIDTH, key.key, key.type, key.presence, KEY_WIDTH + 3,
            "", key.help);
}

static int list_elements(const char* name, FILE* to)
{
  int found = 0;
  suggestion near = suggestion_for(name ? name : "");
  const pc_element_kind* kind;
  for (int i = 0; (kind = pc_model_element_kind(i)) != NULL; i++) {
    suggest(&near, kind->name);
    if (name && strcmp(name, kind->name) != 0) continue;
    fprintf(to, "%-12s %-18s %s\n", kind->section, kind->name, kind->help);
    if (name) print_keys(i, to);
    found = 1;
  }
  if (found) return EXIT_DONE;
  return complain(EXIT_USAGE, "there is no element '%s'%s", name, suggestion_text(&near));
}

static int list_items(const char* name, FILE* to)
{
  (void)name;
  const item* one;
  for (int i = 0; (one = item_at(i)) != NULL; i++) fprintf(to, "%-16s %s\n", one->name, one->title);
  return EXIT_DONE;
}

static const struct {
  const char* name;
  int (*list)(const char* name, FILE* to);
  int indent; /* of lines that continue: below the texts */
} lists[] = {{"schemes", list_schemes, 20},
             {"solvers", list_solvers, 17},
             {"models", list_models, 28},
             {"elements", list_elements, KEY_WIDTH + 3},
             {"items", list_items, 17}};

enum { LIST_COUNT = sizeof lists / sizeof *lists };

int list_command(int argc, char** argv)
{
  const char* allowed = "schemes, solvers, models, elements or items";
  if (argc < 2) return complain(EXIT_USAGE, "list what? %s", allowed);
  if (argc > 3) return complain(EXIT_USAGE, "one word too many: '%s'", argv[3]);
  for (int i = 0; i < LIST_COUNT; i++)
    if (!strcmp(lists[i].name, argv[1])) {
      if (argc == 3 && strcmp(argv[1], "elements") != 0)
        return complain(EXIT_USAGE, "'list %s' takes no name", argv[1]);
      lines block;
      begin_lines(&block, stdout);
      int code = lists[i].list(argc == 3 ? argv[2] : NULL, block.file);
      end_lines(&block, lists[i].indent);
      return code;
    }
  suggestion near = suggestion_for(argv[1]);
  for (int i = 0; i < LIST_COUNT; i++) suggest(&near, lists[i].name);
  return complain(EXIT_USAGE, "there is no list '%s'%s; there are %s", argv[1],
                  suggestion_text(&near), allowed);
}
