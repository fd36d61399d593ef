/* Text in XML and HTML. */
#ifndef PERCUSS_CLI_XML_H
#define PERCUSS_CLI_XML_H

#include <stdio.h>

/* Prints a text with what means something in XML escaped. */
void put_xml_text(FILE* to, const char* text);

#endif
