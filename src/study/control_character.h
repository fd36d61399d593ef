/* Control characters in names and titles, which come from model files. */
#ifndef PC_STUDY_CONTROL_CHARACTER_H
#define PC_STUDY_CONTROL_CHARACTER_H

/* Whether a control character begins at `text`, and how many bytes it takes; they move the cursor,
 * change colours, begin a line that looks like another one's. */
static inline int is_control(const char* text, int* length)
{
  const unsigned char* c = (const unsigned char*)text;
  int after_ascii = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0; /* U+0080 to U+009F in UTF-8 */
  *length = after_ascii ? 2 : 1;
  return after_ascii || c[0] < 0x20 || c[0] == 0x7f;
}

#endif
