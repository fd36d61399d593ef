/* Control characters in names and titles, which come from model files. */
#ifndef PC_STUDY_CONTROL_CHARACTER_H
#define PC_STUDY_CONTROL_CHARACTER_H

/* Separators of lines and paragraphs, and what reverses the direction of the text after it. */
static inline int changes_lines(unsigned code)
{
  return code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

/* The control character that begins at `text` (UTF-8), 0 if none does, and how many bytes to go on
 * by. They move the cursor, change colours, begin a line that looks like another one's, or show a
 * line in another order. */
static inline unsigned control_code(const char* text, int* length)
{
  const unsigned char* c = (const unsigned char*)text;
  *length = 1;
  if (c[0] < 0x20 || c[0] == 0x7f) return c[0];
  if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) {
    *length = 2;
    return c[1];
  }
  if (c[0] == 0xef && c[1] == 0xbf && (c[2] & 0xfe) == 0xbe) { /* no characters; XML has none */
    *length = 3;
    return 0xffc0u | (c[2] & 0x3fu);
  }
  if (c[0] != 0xe2 || (c[1] & 0xc0) != 0x80 || (c[2] & 0xc0) != 0x80) return 0;
  unsigned code = 0x2000u | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
  if (!changes_lines(code)) return 0;
  *length = 3;
  return code;
}

#endif
