#include "text/tree.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

static pc_node* tree_of(const char* text)
{
  pc_node* root = NULL;
  pc_error error = {0};
  CHECK_OK(pc_tree_read(text, strlen(text), &root, &error), error);
  return root;
}

static pc_error error_of(const char* text, size_t size)
{
  pc_node* root = NULL;
  pc_error error = {0};
  assert_int_equal(pc_tree_read(text, size, &root, &error), PC_BAD_MODEL);
  assert_null(root);
  return error;
}

static void nodes_know_their_kind_their_text_and_their_place(void** state)
{
  (void)state;
  pc_node* root = tree_of("# a comment\nk: 'v w'\nlist: [1, {x: 2}]\n");
  assert_int_equal(root->kind, PC_NODE_MAPPING);
  assert_int_equal(root->count, 2);
  const pc_node* k = pc_node_key(root, "k");
  assert_int_equal(k->line, 2);
  assert_int_equal(k->column, 1);
  assert_string_equal(k->value->text, "v w");
  assert_int_equal(k->value->column, 4);
  assert_true(k->value->quoted);
  assert_true(k->value->exact);
  const pc_node* list = pc_node_key(root, "list")->value;
  assert_int_equal(list->kind, PC_NODE_SEQUENCE);
  assert_int_equal(list->count, 2);
  assert_false(list->first->quoted);
  assert_string_equal(list->first->next->first->text, "x");
  assert_string_equal(list->first->next->first->value->text, "2");
  assert_null(list->first->next->next);
  assert_null(pc_node_key(root, "K"));
  pc_tree_destroy(root);
}

static void json_is_read_too(void** state)
{
  (void)state;
  pc_node* root = tree_of("{\"percuss\": 1, \"record\": [\"a\", \"b\"]}");
  assert_string_equal(pc_node_key(root, "percuss")->value->text, "1");
  assert_int_equal(pc_node_key(root, "record")->value->count, 2);
  pc_tree_destroy(root);
}

/* As some editors save it: a mark before the text, and lines that end in two bytes. */
static void a_byte_order_mark_is_no_part_of_the_text(void** state)
{
  (void)state;
  pc_node* root = tree_of("\xef\xbb\xbfpercuss: 1\r\nx: 'a b'\r\n");
  assert_int_equal(root->count, 2);
  const pc_node* key = pc_node_key(root, "percuss");
  assert_int_equal(key->line, 1);
  assert_int_equal(key->column, 1);
  assert_string_equal(pc_node_key(root, "x")->value->text, "a b");
  assert_true(pc_node_key(root, "x")->value->exact);
  pc_tree_destroy(root);
  assert_int_equal(error_of("\xef\xbb\xbfx: 1\nx: 2\n", 13).line, 2);
  assert_non_null(strstr(error_of("\xef\xbb\xbf", 3).text, "empty"));
}

static void texts_that_do_not_stand_as_they_are_say_so(void** state)
{
  (void)state;
  pc_node* root = tree_of("a: \"x\\ty\"\nb: x\n  y\nc: >\n  x\nd: 'it''s'\ne: é\n");
  assert_string_equal(pc_node_key(root, "a")->value->text, "x\ty");
  assert_false(pc_node_key(root, "a")->value->exact);
  assert_string_equal(pc_node_key(root, "b")->value->text, "x y");
  assert_false(pc_node_key(root, "b")->value->exact);
  assert_false(pc_node_key(root, "c")->value->exact);
  assert_false(pc_node_key(root, "d")->value->exact);
  assert_true(pc_node_key(root, "e")->value->exact);
  pc_tree_destroy(root);
}

/* `depth` lists within each other. */
static char* nested(int depth)
{
  char* text = malloc(2 * (size_t)depth + 1);
  memset(text, '[', (size_t)depth);
  memset(text + depth, ']', (size_t)depth);
  text[2 * depth] = 0;
  return text;
}

static void depth_is_limited(void** state)
{
  (void)state;
  char* text = nested(PC_TREE_DEPTH_MAX);
  pc_tree_destroy(tree_of(text));
  free(text);
  text = nested(PC_TREE_DEPTH_MAX + 1);
  pc_error error = error_of(text, strlen(text));
  assert_int_equal(error.column, PC_TREE_DEPTH_MAX + 1);
  free(text);
  text = nested(20000);
  error = error_of(text, 20000);
  assert_non_null(strstr(error.text, "nested more than"));
  free(text);
}

static void size_and_number_of_nodes_are_limited(void** state)
{
  (void)state;
  size_t size = (size_t)PC_TREE_SIZE_MAX + 1;
  char* text = malloc(size);
  memset(text, ' ', size);
  assert_non_null(strstr(error_of(text, size).text, "larger than 16 MiB"));
  size = 2 * (size_t)PC_TREE_NODES_MAX + 2;
  for (size_t i = 0; i < size; i += 2) memcpy(text + i, i ? "1," : "[ ", 2);
  assert_non_null(strstr(error_of(text, size).text, "more than 1000000 entries"));
  free(text);
}

static void a_title_of_two_megabytes_is_fine(void** state)
{
  (void)state;
  size_t size = 2000000;
  char* text = malloc(size + 8);
  memcpy(text, "title: ", 7);
  memset(text + 7, 'x', size);
  text[size + 7] = 0;
  pc_node* root = tree_of(text);
  assert_int_equal(strlen(root->first->value->text), size);
  pc_tree_destroy(root);
  free(text);
}

static void of_several_duplicates_the_first_is_reported(void** state)
{
  (void)state;
  const char* text = "z: 1\na: 1\nm: 1\nz: 2\na: 2\nz: 3\n";
  pc_error error = error_of(text, strlen(text));
  assert_int_equal(error.line, 4);
  assert_non_null(strstr(error.text, "'z' stands here a second time; the first is at line 1"));
}

static void bytes_that_are_no_text_are_told_with_their_place(void** state)
{
  (void)state;
  struct {
    const char* text;
    size_t size;
    int line, column;
  } bad[] = {{"a: \0b", 5, 1, 4}, {"a: 1\nb: \xff\n", 10, 2, 4}, {"a: é\xc3", 6, 1, 5},
             {"\x01", 1, 1, 1},   {"a: \xed\xa0\x80", 6, 1, 4},  {"a: b\n\0", 6, 2, 1}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    pc_error error = error_of(bad[i].text, bad[i].size);
    assert_non_null(strstr(error.text, "not a text"));
    assert_int_equal(error.line, bad[i].line);
    assert_int_equal(error.column, bad[i].column);
  }
}

/* Nine lists of nine, nine times over: refused at its first anchor. */
static void an_alias_bomb_does_not_go_off(void** state)
{
  (void)state;
  const char* text = "a: [x]\nb: &b [x,x,x,x,x,x,x,x,x]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n";
  pc_error error = error_of(text, strlen(text));
  assert_int_equal(error.line, 2);
  assert_non_null(strstr(error.text, "anchors"));
}

static void prefixes_that_are_too_long_are_truncated(void** state)
{
  (void)state;
  char longer[1000];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  pc_error error = {.text = "it"};
  pc_prefix_error(&error, "%s: ", "body");
  assert_string_equal(error.text, "body: it");
  pc_prefix_error(&error, "%s", longer);
  assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_know_their_kind_their_text_and_their_place),
      cmocka_unit_test(json_is_read_too),
      cmocka_unit_test(a_byte_order_mark_is_no_part_of_the_text),
      cmocka_unit_test(texts_that_do_not_stand_as_they_are_say_so),
      cmocka_unit_test(depth_is_limited),
      cmocka_unit_test(size_and_number_of_nodes_are_limited),
      cmocka_unit_test(a_title_of_two_megabytes_is_fine),
      cmocka_unit_test(of_several_duplicates_the_first_is_reported),
      cmocka_unit_test(bytes_that_are_no_text_are_told_with_their_place),
      cmocka_unit_test(an_alias_bomb_does_not_go_off),
      cmocka_unit_test(prefixes_that_are_too_long_are_truncated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
