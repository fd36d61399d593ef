#include <string.h>

#include "console/command.h"

const command* find_command(const command* commands, const char* name)
{
  for (const command* c = commands; c->name; c++)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}
