#include "draw/xml.h"

#include "study/control_character.h"

void put_xml_text(FILE* to, const char* text)
{
  for (int length = 1; *text; text += length) {
    if (control_code(text, &length)) { /* XML 1.0 has no way to write most of them */
      fputc(' ', to);
      continue;
    }
    switch (*text) {
      case '&': fputs("&amp;", to); break;
      case '<': fputs("&lt;", to); break;
      case '>': fputs("&gt;", to); break;
      case '"': fputs("&quot;", to); break;
      default: fputc(*text, to);
    }
  }
}
