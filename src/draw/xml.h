/* Text in XML and HTML. */
#ifndef PC_DRAW_XML_H
#define PC_DRAW_XML_H

#include <stdio.h>

/* Prints a text with what means something in XML escaped. */
void put_xml_text(FILE* to, const char* text);

#endif
