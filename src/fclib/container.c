#include "fclib/container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/checksum.h"

/* Limits that no file of FCLib comes near: they bound what a damaged one can ask for. */
enum {
  CHUNKS_MAX = 64,       /* parts of an object header */
  PART_MAX = 1 << 20,    /* of a header, of a heap of names [bytes] */
  NAME_MAX_BYTES = 4096, /* with the 0 at its end */
  CHECKSUM = 4
};

/* HDF5's "no address". */
static const uint64_t undefined = UINT64_MAX;

static pc_status bad(const pc_container* c, const char* what)
{
  return pc_fail(c->error, PC_BAD_MODEL, "'%s': %s", c->path, what);
}

static pc_status damaged(const pc_container* c, const char* what)
{
  return pc_fail(c->error, PC_BAD_MODEL, "'%s' is damaged or truncated: %s", c->path, what);
}

static pc_status other_storage(const pc_container* c, const char* what)
{
  return pc_fail(
      c->error, PC_BAD_MODEL,
      "'%s': %s, which FCLib does not do; 'h5repack -f NONE -l CONTI OLD NEW' makes a file "
      "that can be read",
      c->path, what);
}

/* --- bytes ------------------------------------------------------------------------------------ */

static uint64_t number_at(const unsigned char* byte, size_t size)
{
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | byte[i];
  return value;
}

static int lies_within(const pc_container* c, uint64_t at, uint64_t size)
{
  return at <= c->size && size <= c->size - at;
}

/* All of them, or 0. */
static int read_at(const pc_container* c, uint64_t at, void* to, size_t size)
{
  if (!lies_within(c, at, size)) return 0;
  for (size_t done = 0; done < size;) {
    ssize_t got = pread(c->descriptor, (char*)to + done, size - done, (off_t)(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    done += (size_t)got;
  }
  return 1;
}

/* A part of the structure in memory of its own; *to is NULL on failure. */
static pc_status load(const pc_container* c, uint64_t at, uint64_t size, unsigned char** to)
{
  *to = NULL;
  if (size > PART_MAX || !lies_within(c, at, size)) return damaged(c, "an address leads nowhere");
  unsigned char* part = pc_alloc((size_t)size, 1);
  if (!part) return pc_no_memory(c->error);
  if (!read_at(c, at, part, (size_t)size)) {
    free(part);
    return damaged(c, "it cannot be read");
  }
  *to = part;
  return PC_OK;
}

static int has_checksum(const unsigned char* part, size_t size)
{
  return pc_checksum(part, size) == number_at(part + size, CHECKSUM);
}

/* --- object headers --------------------------------------------------------------------------- */

enum {
  MESSAGE_SPACE = 1,
  MESSAGE_LINK_INFO = 2,
  MESSAGE_TYPE = 3,
  MESSAGE_LINK = 6,
  MESSAGE_EXTERNAL = 7,
  MESSAGE_LAYOUT = 8,
  MESSAGE_FILTERS = 11,
  MESSAGE_CONTINUATION = 16,
  MESSAGE_SYMBOLS = 17
};

typedef struct message {
  int type;
  int is_shared;             /* kept elsewhere */
  const unsigned char* data; /* size bytes */
  size_t size;
  uint64_t address; /* of the data in the file */
} message;

typedef pc_status take_message(void* user, const message* m);

/* The parts of an object header: the first one, and those that continuation messages name. */
typedef struct parts {
  int version, flags, count;
  uint64_t at[CHUNKS_MAX], size[CHUNKS_MAX]; /* of the messages alone */
} parts;

static pc_status add_part(const pc_container* c, parts* p, uint64_t at, uint64_t size)
{
  uint64_t mark = p->version == 2 && p->count > 0 ? 4 : 0;
  if (p->count == CHUNKS_MAX || size < 2 * mark || size > PART_MAX)
    return damaged(c, "an object header has no end");
  p->at[p->count] = at + mark;
  p->size[p->count++] = size - (mark ? mark + CHECKSUM : 0);
  return PC_OK;
}

/* Version 1: version, number of messages (2 bytes at 2), references, size of the first part (4 at
 * 8), then the part. Version 2: a mark, version, flags, then what these tell, the size of the first
 * part, the part, and a checksum of it all. */
static pc_status begin_header(const pc_container* c, uint64_t address, parts* p)
{
  enum { V1 = 16, BEFORE_MAX = 40 };
  unsigned char begin[BEFORE_MAX] = {0};
  *p = (parts){0};
  uint64_t left = address < c->size ? c->size - address : 0;
  if (left < V1 || !read_at(c, address, begin, left < BEFORE_MAX ? (size_t)left : BEFORE_MAX))
    return damaged(c, "an object lies behind its end");
  if (memcmp(begin, "OHDR", 4) != 0) {
    p->version = begin[0];
    if (p->version != 1) return damaged(c, "an object has no header");
    return add_part(c, p, address + V1, number_at(begin + 8, 4));
  }
  p->version = begin[4];
  p->flags = begin[5];
  if (p->version != 2) return damaged(c, "an object has no header");
  size_t width = (size_t)1 << (p->flags & 3);
  size_t before = 6u + (p->flags & 0x20 ? 16u : 0u) + (p->flags & 0x10 ? 4u : 0u);
  uint64_t size = number_at(begin + before, width);
  before += width;
  unsigned char* whole;
  if (size > PART_MAX) return damaged(c, "an object header has no end");
  PC_TRY(load(c, address, before + size + CHECKSUM, &whole));
  int sound = has_checksum(whole, before + (size_t)size);
  free(whole);
  return sound ? add_part(c, p, address + before, size)
               : damaged(c, "the checksum of an object header is wrong");
}

/* The later parts of version 2 begin with a mark and end with a checksum. */
static pc_status check_part(const pc_container* c, const parts* p, int k)
{
  if (p->version == 1 || k == 0) return PC_OK;
  unsigned char* whole;
  size_t size = 4 + (size_t)p->size[k];
  PC_TRY(load(c, p->at[k] - 4, size + CHECKSUM, &whole));
  int sound = memcmp(whole, "OCHK", 4) == 0 && has_checksum(whole, size);
  free(whole);
  return sound ? PC_OK : damaged(c, "the checksum of an object header is wrong");
}

/* Type (1 or 2 bytes), size (2), flags (1), 3 unused bytes in version 1, the order of creation (2)
 * in some of version 2; then the data. */
static pc_status take_part(const pc_container* c, parts* p, int k, const unsigned char* part,
                           take_message* take, void* user)
{
  size_t v2 = p->version == 2, head = v2 ? (p->flags & 4 ? 6 : 4) : 8;
  for (size_t used = 0; p->size[k] - used >= head;) {
    const unsigned char* at = part + used;
    message m = {.type = v2 ? at[0] : (int)number_at(at, 2),
                 .size = (size_t)number_at(at + (v2 ? 1 : 2), 2),
                 .is_shared = at[v2 ? 3 : 4] & 2,
                 .data = at + head,
                 .address = p->at[k] + used + head};
    if (m.size > p->size[k] - used - head) return damaged(c, "an object header does not fit");
    used += head + m.size;
    if (m.type != MESSAGE_CONTINUATION)
      PC_TRY(take(user, &m));
    else if (m.size < 16)
      return damaged(c, "an object header does not fit");
    else
      PC_TRY(add_part(c, p, number_at(m.data, 8), number_at(m.data + 8, 8)));
  }
  return PC_OK;
}

static pc_status take_messages(const pc_container* c, uint64_t address, take_message* take,
                               void* user)
{
  parts p;
  PC_TRY(begin_header(c, address, &p));
  for (int k = 0; k < p.count; k++) {
    unsigned char* part;
    PC_TRY(check_part(c, &p, k));
    PC_TRY(load(c, p.at[k], p.size[k], &part));
    pc_status status = take_part(c, &p, k, part, take, user);
    free(part);
    PC_TRY(status);
  }
  return PC_OK;
}

/* --- what an object is ------------------------------------------------------------------------ */

typedef struct object {
  const pc_container* c;
  pc_stored s;
  int has_space, has_type, has_layout, is_group;
  uint64_t stored; /* bytes of its data */
} object;

/* Version 1: version, rank, 6 more bytes; version 2: version, rank, flags, kind. Then extents. */
static pc_status take_space(object* o, const message* m)
{
  size_t head = m->size > 0 && m->data[0] == 1 ? 8 : 4;
  if (m->size < head || m->data[0] < 1 || m->data[0] > 2)
    return damaged(o->c, "a dataset has no extent");
  int rank = m->data[1], is_empty = m->data[0] == 2 && m->data[3] == 2;
  if (rank > PC_STORED_RANK_MAX || m->size < head + 8 * (size_t)rank)
    return damaged(o->c, "a dataset has no extent");
  o->s.rank = rank;
  o->s.count = !is_empty;
  for (int i = 0; i < rank; i++) {
    uint64_t extent = o->s.extent[i] = number_at(m->data + head + 8 * (size_t)i, 8);
    if (extent && o->s.count > SIZE_MAX / extent) return damaged(o->c, "a dataset has no extent");
    o->s.count *= (size_t)extent;
  }
  o->has_space = 1;
  return PC_OK;
}

/* The numbers of IEEE 754: offset 0, all bits, where exponent and mantissa are, the bias. */
static int is_ieee(const message* m, size_t size)
{
  static const unsigned char single[] = {0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0};
  static const unsigned char twofold[] = {0, 0, 64, 0, 52, 11, 0, 52, 255, 3, 0, 0};
  enum { HEAD = 8, SIGN = 2, NORMAL = 0x20 };
  if (m->size < HEAD + sizeof single || (size != 4 && size != 8)) return 0;
  return memcmp(m->data + HEAD, size == 4 ? single : twofold, sizeof single) == 0 &&
         m->data[SIGN] == 8 * size - 1 && (m->data[1] & 0x7e) == NORMAL;
}

/* Version and class, three bytes of flags, the size of an element (4 bytes), then what the class
 * needs. */
static pc_status take_type(object* o, const message* m)
{
  enum { INTEGER = 0, REAL = 1, TEXT = 3, HEAD = 8 };
  if (m->size < HEAD) return damaged(o->c, "a dataset has no type");
  int class = m->data[0] & 15, flags = m->data[1];
  size_t size = o->s.size = (size_t)number_at(m->data + 4, 4);
  int whole = m->size >= HEAD + 4 && (size == 1 || size == 2 || size == 4 || size == 8) &&
              number_at(m->data + HEAD, 2) == 0 && number_at(m->data + HEAD + 2, 2) == 8 * size;
  o->s.kind = class == INTEGER && whole           ? PC_STORED_INTEGERS
              : class == REAL && is_ieee(m, size) ? PC_STORED_REALS
              : class == TEXT && size > 0         ? PC_STORED_TEXT
                                                  : PC_STORED_OTHER;
  o->s.is_big_endian = flags & 1;
  o->s.is_signed = (flags & 8) != 0;
  o->has_type = 1;
  return PC_OK;
}

/* Versions 3 and 4: version, class; compact: size (2 bytes), data; contiguous: address and size. */
static pc_status take_layout(object* o, const message* m)
{
  enum { COMPACT = 0, CONTIGUOUS = 1 };
  if (m->size < 4 || m->data[0] < 3 || m->data[0] > 4 || m->data[1] > CONTIGUOUS)
    return other_storage(o->c, "a dataset is stored in chunks or in an old way");
  if (m->data[1] == CONTIGUOUS && m->size < 18) return damaged(o->c, "a dataset has no place");
  if (m->data[1] == COMPACT) {
    o->s.address = m->address + 4;
    o->stored = number_at(m->data + 2, 2);
    if (o->stored > m->size - 4) return damaged(o->c, "a dataset has no place");
  } else {
    o->s.address = number_at(m->data + 2, 8);
    o->stored = o->s.address == undefined ? 0 : number_at(m->data + 10, 8);
  }
  o->has_layout = 1;
  return PC_OK;
}

static pc_status take_part_of_object(void* user, const message* m)
{
  object* o = user;
  o->is_group |= m->type == MESSAGE_SYMBOLS || m->type == MESSAGE_LINK_INFO;
  int matters = m->type == MESSAGE_SPACE || m->type == MESSAGE_TYPE || m->type == MESSAGE_LAYOUT;
  if (matters && m->is_shared) return other_storage(o->c, "datasets share their type");
  if (m->type == MESSAGE_SPACE) return take_space(o, m);
  if (m->type == MESSAGE_TYPE) return take_type(o, m);
  if (m->type == MESSAGE_LAYOUT) return take_layout(o, m);
  if (m->type == MESSAGE_EXTERNAL) return other_storage(o->c, "a dataset is in another file");
  if (m->type == MESSAGE_FILTERS && m->size > 1 && m->data[1] > 0)
    return other_storage(o->c, "a dataset is compressed");
  return PC_OK;
}

/* `path` is for messages. */
static pc_status read_object(const pc_container* c, uint64_t address, const char* path,
                             pc_stored* to)
{
  object o = {.c = c};
  PC_TRY(take_messages(c, address, take_part_of_object, &o));
  *to = o.s;
  if (o.is_group) {
    *to = (pc_stored){.kind = PC_STORED_GROUP, .address = address};
    return PC_OK;
  }
  if (!o.has_space || !o.has_type || !o.has_layout)
    return damaged(c, "an object is neither a group nor a dataset");
  if (o.s.count == 0 || o.s.kind == PC_STORED_OTHER) return PC_OK;
  if (o.s.count > SIZE_MAX / o.s.size || o.s.count * o.s.size > o.stored ||
      !lies_within(c, o.s.address, o.stored)) {
    char text[200];
    snprintf(text, sizeof text, "'%.100s' claims to hold %zu elements of %zu bytes, and does not",
             path, o.s.count, o.s.size);
    return damaged(c, text);
  }
  return PC_OK;
}

/* --- the links of a group --------------------------------------------------------------------- */

/* What is done with each link; `stop` ends it. */
typedef struct walk {
  const pc_container* c;
  pc_status (*take)(struct walk* w, const char* name, uint64_t address);
  void* user;
  int stop;
  uint64_t left;        /* bytes that a walk may read: those of a file, where nothing overlaps */
  unsigned char* names; /* the heap of the names of a tree of symbols */
  size_t names_size;
} walk;

/* A link in the header: version, flags, then what these tell: a kind, an order (8 bytes), a set of
 * characters; the length of the name, the name, and the address of the object. */
static pc_status take_link(walk* w, const message* m)
{
  char name[NAME_MAX_BYTES];
  int flags = m->size >= 2 ? m->data[1] : 0;
  size_t at = 2, width = (size_t)1 << (flags & 3);
  int kind = flags & 8 && m->size > at ? m->data[at] : 0;
  at += (flags & 8 ? 1u : 0u) + (flags & 4 ? 8u : 0u) + (flags & 0x10 ? 1u : 0u);
  if (m->size < at + width) return damaged(w->c, "a link does not fit");
  uint64_t length = number_at(m->data + at, width);
  at += width;
  if (kind != 0) return PC_OK; /* to another name or file: not followed */
  if (length >= sizeof name || m->size - at < length + 8)
    return damaged(w->c, "a link does not fit");
  memcpy(name, m->data + at, (size_t)length);
  name[length] = '\0';
  return w->take(w, name, number_at(m->data + at + length, 8));
}

static pc_status read_node(walk* w, uint64_t address, unsigned char* head, size_t head_size,
                           size_t entry_size, uint64_t* count, unsigned char** entries)
{
  if (!read_at(w->c, address, head, head_size)) return damaged(w->c, "a group cannot be read");
  *count = number_at(head + 6, 2);
  uint64_t size = head_size + *count * entry_size;
  if (size > w->left) return damaged(w->c, "the links of a group have no end");
  w->left -= size;
  return load(w->c, address + head_size, *count * entry_size, entries);
}

/* A leaf: a mark, version 1, the number of its links (2 bytes at 6); then for each where its name
 * is, the address of the object, a kind (2: a soft link, not followed), and scratch. */
static pc_status take_leaf(walk* w, uint64_t address)
{
  enum { HEAD = 8, ENTRY = 40, SOFT = 2 };
  unsigned char head[HEAD], *entries;
  uint64_t count;
  PC_TRY(read_node(w, address, head, HEAD, ENTRY, &count, &entries));
  pc_status status =
      memcmp(head, "SNOD\1", 5) == 0 ? PC_OK : damaged(w->c, "a group cannot be read");
  for (uint64_t i = 0; i < count && status == PC_OK && !w->stop; i++) {
    const unsigned char* e = entries + i * ENTRY;
    uint64_t name = number_at(e, 8);
    if (number_at(e + 16, 4) == SOFT) continue;
    if (name >= w->names_size || !memchr(w->names + name, 0, w->names_size - (size_t)name) ||
        strlen((const char*)w->names + name) >= NAME_MAX_BYTES)
      status = damaged(w->c, "a name is missing in a group");
    else
      status = w->take(w, (const char*)w->names + name, number_at(e + 8, 8));
  }
  free(entries);
  return status;
}

/* A node of the tree: a mark, kind 0, a level, the number of children (2 bytes at 6), two
 * neighbours; then keys and children in turn. Levels descend, so it has an end. */
static pc_status take_tree(walk* w, uint64_t address, int level)
{
  enum { HEAD = 24, PAIR = 16 };
  unsigned char head[HEAD], *pairs;
  uint64_t count;
  PC_TRY(read_node(w, address, head, HEAD, PAIR, &count, &pairs));
  int sound = memcmp(head, "TREE\0", 5) == 0 && (level < 0 || head[5] == level);
  pc_status status = sound ? PC_OK : damaged(w->c, "a group cannot be read");
  for (uint64_t i = 0; i < count && status == PC_OK && !w->stop; i++) {
    uint64_t child = number_at(pairs + i * PAIR + 8, 8);
    status = head[5] > 0 ? take_tree(w, child, head[5] - 1) : take_leaf(w, child);
  }
  free(pairs);
  return status;
}

/* The heap of names: a mark, version 0, its size (8 bytes at 8), where its bytes are (at 24). */
static pc_status take_symbols(walk* w, const message* m)
{
  enum { HEAD = 32 };
  unsigned char heap[HEAD];
  if (m->size < 16) return damaged(w->c, "a group cannot be read");
  if (!read_at(w->c, number_at(m->data + 8, 8), heap, HEAD) || memcmp(heap, "HEAP\0", 5) != 0)
    return damaged(w->c, "the names of a group cannot be read");
  w->names_size = (size_t)number_at(heap + 8, 8);
  PC_TRY(load(w->c, number_at(heap + 24, 8), w->names_size, &w->names));
  pc_status status = take_tree(w, number_at(m->data, 8), -1);
  free(w->names);
  w->names = NULL;
  return status;
}

/* Many links are kept in a heap beside the header; its address (8 bytes) is among the last two. */
static int is_dense(const message* m)
{
  size_t at = 2 + (m->size >= 2 && m->data[1] & 1 ? 8u : 0u);
  return m->size >= at + 8 && number_at(m->data + at, 8) != undefined;
}

static pc_status take_part_of_group(void* user, const message* m)
{
  walk* w = user;
  if (w->stop) return PC_OK;
  if (m->type == MESSAGE_LINK_INFO && is_dense(m))
    return other_storage(w->c, "a group keeps its links in a heap");
  if (m->type == MESSAGE_LINK) return take_link(w, m);
  return m->type == MESSAGE_SYMBOLS && !w->names ? take_symbols(w, m) : PC_OK;
}

/* --- looking up ------------------------------------------------------------------------------- */

typedef struct search {
  const char* name;
  size_t length;
  uint64_t address; /* undefined: not found */
} search;

static pc_status compare_name(walk* w, const char* name, uint64_t address)
{
  search* s = w->user;
  if (strlen(name) != s->length || memcmp(name, s->name, s->length) != 0) return PC_OK;
  s->address = address;
  w->stop = 1;
  return PC_OK;
}

pc_status pc_container_find(const pc_container* c, const char* path, pc_stored* found)
{
  PC_TRY(read_object(c, c->root, path, found));
  for (const char* at = path + strspn(path, "/"); *at; at += strspn(at, "/")) {
    search s = {at, strcspn(at, "/"), undefined};
    walk w = {.c = c, .take = compare_name, .user = &s, .left = c->size};
    if (found->kind == PC_STORED_GROUP)
      PC_TRY(take_messages(c, found->address, take_part_of_group, &w));
    *found = (pc_stored){0};
    if (s.address == undefined) return PC_OK;
    PC_TRY(read_object(c, s.address, path, found));
    at += s.length;
  }
  return PC_OK;
}

typedef struct visiting {
  pc_visit_member* visit;
  void* user;
} visiting;

static pc_status visit_member(walk* w, const char* name, uint64_t address)
{
  const visiting* v = w->user;
  pc_stored member;
  PC_TRY(read_object(w->c, address, name, &member));
  return v->visit(v->user, name, &member);
}

pc_status pc_container_visit(const pc_container* c, const pc_stored* group, pc_visit_member* visit,
                             void* user)
{
  visiting v = {visit, user};
  walk w = {.c = c, .take = visit_member, .user = &v, .left = c->size};
  return take_messages(c, group->address, take_part_of_group, &w);
}

/* --- elements --------------------------------------------------------------------------------- */

static uint64_t element_bits(const pc_stored* s, const unsigned char* byte)
{
  if (!s->is_big_endian) return number_at(byte, s->size);
  uint64_t value = 0;
  for (size_t i = 0; i < s->size; i++) value = value << 8 | byte[i];
  return value;
}

static double real_of(const pc_stored* s, uint64_t bits)
{
  double real;
  float single;
  uint32_t low = (uint32_t)bits;
  memcpy(&real, &bits, sizeof real);
  memcpy(&single, &low, sizeof single);
  return s->size == 4 ? (double)single : real;
}

/* 0 if it does not fit. */
static int integer_of(const pc_stored* s, uint64_t bits, int64_t* to)
{
  unsigned unused = 64 - 8 * (unsigned)s->size;
  if (s->is_signed) bits = (uint64_t)((int64_t)(bits << unused) >> unused);
  *to = (int64_t)bits;
  return s->is_signed || bits <= INT64_MAX;
}

enum { BLOCK = 512 };

/* The next elements, at most BLOCK of them. */
static pc_status read_block(const pc_container* c, const pc_stored* s, size_t first, size_t count,
                            unsigned char block[8 * BLOCK])
{
  if (s->kind != PC_STORED_INTEGERS && s->kind != PC_STORED_REALS)
    return bad(c, "numbers were expected");
  if (first > s->count || count > s->count - first) return damaged(c, "numbers are missing");
  int read = read_at(c, s->address + first * s->size, block, count * s->size);
  return read ? PC_OK : damaged(c, "numbers cannot be read");
}

pc_status pc_container_read_doubles(const pc_container* c, const pc_stored* s, size_t first,
                                    size_t count, double* to)
{
  unsigned char block[8 * BLOCK];
  for (size_t k = 0; k < count; k += BLOCK) {
    size_t n = count - k < BLOCK ? count - k : BLOCK;
    PC_TRY(read_block(c, s, first + k, n, block));
    for (size_t i = 0; i < n; i++) {
      uint64_t bits = element_bits(s, block + i * s->size);
      int64_t integer;
      int fits = integer_of(s, bits, &integer);
      to[k + i] = s->kind == PC_STORED_REALS ? real_of(s, bits)
                  : fits                     ? (double)integer
                                             : (double)bits;
    }
  }
  return PC_OK;
}

pc_status pc_container_read_longs(const pc_container* c, const pc_stored* s, size_t first,
                                  size_t count, int64_t* to)
{
  unsigned char block[8 * BLOCK];
  for (size_t k = 0; k < count; k += BLOCK) {
    size_t n = count - k < BLOCK ? count - k : BLOCK;
    PC_TRY(read_block(c, s, first + k, n, block));
    for (size_t i = 0; i < n; i++) {
      uint64_t bits = element_bits(s, block + i * s->size);
      double real = s->kind == PC_STORED_REALS ? real_of(s, bits) : 0;
      int whole = real >= -9e15 && real <= 9e15 && real == (double)(int64_t)real;
      if (s->kind == PC_STORED_REALS && whole) to[k + i] = (int64_t)real;
      if (s->kind != PC_STORED_REALS) whole = integer_of(s, bits, &to[k + i]);
      if (!whole) return bad(c, "a size or an index is no whole number");
    }
  }
  return PC_OK;
}

pc_status pc_container_read_bytes(const pc_container* c, const pc_stored* s, char* to)
{
  return read_at(c, s->address, to, s->count * s->size) ? PC_OK
                                                        : damaged(c, "a text cannot be read");
}

/* --- the file --------------------------------------------------------------------------------- */

static pc_status open_file(pc_container* c)
{
  struct stat what;
  c->descriptor = open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  int reason = c->descriptor < 0 || fstat(c->descriptor, &what) != 0 ? errno : 0;
  if (reason == 0 && S_ISDIR(what.st_mode)) reason = EISDIR;
  if (reason != 0) {
    char text[128];
    if (strerror_r(reason, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", reason);
    return pc_fail(c->error, PC_BAD_MODEL, "cannot read '%s': %s", c->path, text);
  }
  c->size = S_ISREG(what.st_mode) ? (uint64_t)what.st_size : 0;
  return PC_OK;
}

/* A mark of 8 bytes and the version. 0 and 1: sizes of addresses and lengths at 13; at 24 or 28 the
 * addresses of the base, of free space, of the end, of a driver, and the link to the root, whose
 * second number is its address. 2 and 3: the sizes at 9; at 12 the base, an extension, the end, the
 * root, and a checksum. */
pc_status pc_container_open(pc_container* c, const char* path, pc_error* error)
{
  enum { LENGTH = 96, V2 = 44 };
  unsigned char s[LENGTH] = {0};
  *c = (pc_container){.path = path, .descriptor = -1, .error = error};
  PC_TRY(open_file(c));
  if (c->size < LENGTH || !read_at(c, 0, s, LENGTH) || memcmp(s, "\x89HDF\r\n\x1a\n", 8) != 0)
    return bad(c, "this is not an HDF5 file, so it holds no problem of FCLib");
  int version = s[8];
  const unsigned char* sizes = version < 2 ? s + 13 : s + 9;
  if (version > 3 || sizes[0] != 8 || sizes[1] != 8)
    return other_storage(c, "the file has another format than 64 bit addresses");
  if (version >= 2 && !has_checksum(s, V2)) return damaged(c, "its first bytes");
  const unsigned char* addresses = version == 0 ? s + 24 : version == 1 ? s + 28 : s + 12;
  c->root = number_at(addresses + (version < 2 ? 40 : 24), 8);
  if (number_at(addresses, 8) != 0) return other_storage(c, "the file has a user block");
  if (number_at(addresses + 16, 8) > c->size) return damaged(c, "its end is missing");
  return PC_OK;
}

void pc_container_close(pc_container* c)
{
  if (c->descriptor >= 0) close(c->descriptor);
  c->descriptor = -1;
}
