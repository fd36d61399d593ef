#include "draw/xml.h"

void put_xml_text(FILE* to, const char* text)
{
  for (; *text; text++) switch (*text) {
      case '&': fputs("&amp;", to); break;
      case '<': fputs("&lt;", to); break;
      case '>': fputs("&gt;", to); break;
      case '"': fputs("&quot;", to); break;
      default: fputc(*text, to);
    }
}
