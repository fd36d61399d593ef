/* Tables of many runs: what was appended is read back, in both formats, also after a kill. */
#include "check.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "percuss/table.h"

enum { ROWS = 3000, LIST_MAX = 5 };

static const pc_table_column columns[] = {
    {"mu", "", 0}, {"final.x", "m", 0}, {"at(a/b: x, last=5)", "m", 1}};
static char path[256];

static int list_length(long row)
{
  return row == 17 ? 5000 : (int)(row % (LIST_MAX + 1)); /* one that is longer than any buffer */
}

static double value(long row, int column, int i)
{
  return sin((double)row + 0.1 * column + 0.01 * i) / 3;
}

static pc_table_def def(void)
{
  return (pc_table_def){
      .path = path, .about = "model: a\nrows: 3000\n", .column = columns, .column_count = 3};
}

static void append(pc_table* table, long row)
{
  static double list[5000];
  double mu = value(row, 0, 0), x = row % 7 == 3 ? NAN : value(row, 1, 0);
  for (int i = 0; i < list_length(row); i++) list[i] = value(row, 2, i);
  const double* const numbers[] = {&mu, &x, list};
  int count[] = {1, 1, list_length(row)};
  pc_table_row r = {row, row % 7 == 3 ? "failed" : "done", row % 7 == 3 ? "because, \"so\"" : "",
                    numbers, count};
  pc_error error = {0};
  CHECK_OK(pc_table_append(table, &r, &error), error);
}

static void check_cell(const pc_table_content* c, long row, int column, int count, int no_number)
{
  const size_t* first = &c->first[row * c->column_count + column];
  assert_int_equal(first[1] - first[0], count);
  for (int i = 0; i < count; i++) {
    double found = c->number[first[0] + (size_t)i];
    if (no_number)
      assert_true(isnan(found));
    else
      CHECK_NEAR(found, value(row, column, i), 0);
  }
}

static long check_table(void)
{
  pc_table_content* c = NULL;
  pc_error error = {0};
  CHECK_OK(pc_table_read(path, &c, &error), error);
  assert_string_equal(c->about, def().about);
  assert_int_equal(c->column_count, 3);
  for (int k = 0; k < 3; k++) {
    assert_string_equal(c->column[k].name, columns[k].name);
    assert_string_equal(c->column[k].unit, columns[k].unit);
    assert_int_equal(c->column[k].is_list, columns[k].is_list);
  }
  for (long i = 0; i < c->count; i++) {
    int failed = i % 7 == 3;
    assert_int_equal(c->row[i], i);
    assert_string_equal(c->status[i], failed ? "failed" : "done");
    assert_string_equal(c->note[i], failed ? "because, \"so\"" : "");
    check_cell(c, i, 0, 1, 0);
    check_cell(c, i, 1, 1, failed);
    check_cell(c, i, 2, list_length(i), 0);
  }
  long count = c->count;
  pc_table_free(c);
  return count;
}

static void begin(const char* name)
{
  snprintf(path, sizeof path, "%s", name);
  unlink(path);
}

static void write_all(void)
{
  pc_table_def d = def();
  pc_table* table = NULL;
  pc_error error = {0};
  CHECK_OK(pc_table_create(&d, &table, &error), error);
  for (long i = 0; i < ROWS; i++) append(table, i);
  CHECK_OK(pc_table_close(table, &error), error);
}

static void what_was_appended_is_read_back(void** state)
{
  (void)state;
  static const char* const name[] = {"test_table.csv", "test_table.h5"};
  for (int i = 0; i < 2; i++) {
    begin(name[i]);
    write_all();
    assert_int_equal(check_table(), ROWS);
    assert_true(pc_is_table(path));
    unlink(path);
  }
}

/* A child that flushes now and then and is killed; then the table goes on. */
static void killed_tables_go_on(void** state)
{
  (void)state;
  static const char* const name[] = {"test_table_cut.csv", "test_table_cut.h5"};
  for (int format = 0; format < 2; format++)
    for (long stop = 1; stop < ROWS; stop += 611) {
      begin(name[format]);
      pid_t child = fork();
      if (child == 0) {
        pc_table_def d = def();
        pc_table* table = NULL;
        if (pc_table_create(&d, &table, NULL) != PC_OK) _exit(1);
        for (long i = 0; i < stop; i++) append(table, i);
        if (pc_table_flush(table, NULL) != PC_OK) _exit(2);
        for (long i = stop; i < stop + 50; i++) append(table, i);
        kill(getpid(), SIGKILL);
      }
      int status = 0;
      assert_int_equal(waitpid(child, &status, 0), child);
      assert_true(WIFSIGNALED(status));
      long there = check_table();
      assert_true(there >= stop);
      pc_table_def d = def();
      pc_table* table = NULL;
      pc_error error = {0};
      CHECK_OK(pc_table_resume(&d, &table, &error), error);
      for (long i = there; i < ROWS; i++) append(table, i);
      CHECK_OK(pc_table_close(table, &error), error);
      assert_int_equal(check_table(), ROWS);
      unlink(path);
    }
}

/* A byte that is wrong, wherever, or the end missing. */
static void damaged_tables_are_read_or_refused(void** state)
{
  (void)state;
  for (int format = 0; format < 2; format++) {
    begin(format ? "test_table_damaged.h5" : "test_table_damaged.csv");
    write_all();
    FILE* file = fopen(path, "r+b");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    for (long at = 0; at < size; at += at < 600 ? 7 : size / 97) {
      fseek(file, at, SEEK_SET);
      int was = fgetc(file);
      fseek(file, at, SEEK_SET);
      fputc(was ^ 1 << at % 7, file);
      fflush(file);
      pc_table_content* content = NULL;
      pc_error error = {0};
      pc_status status = pc_table_read(path, &content, &error);
      assert_true((status == PC_OK) == (content != NULL));
      assert_true(status == PC_OK || error.text[0]);
      pc_table_free(content);
      fseek(file, at, SEEK_SET);
      fputc(was, file);
      fflush(file);
    }
    fclose(file);
    assert_int_equal(check_table(), ROWS);
    unlink(path);
  }
}

static void other_files_are_refused(void** state)
{
  (void)state;
  pc_table_def d = def();
  pc_table* table = NULL;
  pc_error error = {0};
  for (int format = 0; format < 2; format++) {
    begin(format ? "test_table_other.h5" : "test_table_other.csv");
    FILE* file = fopen(path, "w");
    fputs("something else\n", file);
    fclose(file);
    assert_false(pc_is_table(path));
    d.path = path;
    assert_int_equal(pc_table_create(&d, &table, &error), PC_CANNOT_WRITE);
    assert_non_null(strstr(error.text, path));
    assert_int_equal(pc_table_resume(&d, &table, &error), PC_BAD_MODEL);
    assert_null(table);
    unlink(path);
  }
  begin("test_table_columns.csv");
  write_all();
  pc_table_column more[4] = {columns[0], columns[1], columns[2], {"y", "", 0}};
  d = def();
  d.column = more;
  d.column_count = 4;
  assert_int_equal(pc_table_resume(&d, &table, &error), PC_BAD_ARGUMENT);
  unlink(path);
}

static pc_status read_text(const char* text, size_t size, pc_table_content** content,
                           pc_error* error)
{
  begin("test_table_text.csv");
  FILE* file = fopen(path, "wb");
  assert_int_equal(fwrite(text, 1, size, file), size);
  fclose(file);
  pc_status status = pc_table_read(path, content, error);
  unlink(path);
  return status;
}

/* A zero byte at each place of a table is named with its line. It ended a text once: rows were
 * lost, and the last one was written behind the memory for those that had been counted. */
static void a_zero_byte_is_refused_with_its_line(void** state)
{
  (void)state;
  static const char text[] =
      "# percuss sweep table 1\n# a: b\n# units: ,m,\n# lists: 01\nrow,a,l,status,note\n"
      "0,1,1 2,done,\n1,-2.5,,failed,\"so, it is\"\n-1,3,4 5 6 7,done,\n";
  size_t size = sizeof text - 1;
  pc_table_content* content = NULL;
  pc_error error = {0};
  CHECK_OK(read_text(text, size, &content, &error), error);
  assert_int_equal(content->count, 3);
  assert_int_equal(content->first[6], 9);
  CHECK_NEAR(content->number[8], 7, 0);
  assert_string_equal(content->note[1], "so, it is");
  pc_table_free(content);
  char damaged[sizeof text], expected[64];
  int line = 1;
  for (size_t i = 0; i + 1 < size; line += text[i++] == '\n') {
    memcpy(damaged, text, size);
    damaged[i] = 0;
    assert_int_equal(read_text(damaged, size, &content, &error), PC_BAD_MODEL);
    assert_null(content);
    snprintf(expected, sizeof expected, "line %d contains a zero byte", line);
    if (!strstr(error.text, expected)) fail_msg("'%s' does not say '%s'", error.text, expected);
  }
}

/* A cell of a column that is no list holds one number. */
static void a_cell_without_its_number_is_refused(void** state)
{
  (void)state;
  static const char begin_of_table[] =
      "# percuss sweep table 1\n# units: ,m\n# lists: 0\nrow,a,status,note\n";
  static const char* const row[] = {"0,,done,\n", "0,1 2,done,\n", "0,x,done,\n", "0\n",
                                    "1,nan,x,\n"};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char text[200];
    size_t size = (size_t)snprintf(text, sizeof text, "%s%s", begin_of_table, row[i]);
    pc_table_content* content = NULL;
    pc_error error = {0};
    assert_int_equal(read_text(text, size, &content, &error) == PC_OK, i == 4);
    pc_table_free(content);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_appended_is_read_back),
      cmocka_unit_test(killed_tables_go_on),
      cmocka_unit_test(damaged_tables_are_read_or_refused),
      cmocka_unit_test(other_files_are_refused),
      cmocka_unit_test(a_zero_byte_is_refused_with_its_line),
      cmocka_unit_test(a_cell_without_its_number_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
