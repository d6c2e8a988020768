/* If this process ends, so do the processes that its children started. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/child.h"

/* Starts a shell that starts a process and then prints "+"; both processes hold `out`. */
static _Noreturn void start_guarded(int out) {
  char *const words[] = {"sh", "-c", "sleep 30 & echo +; sleep 30; true", NULL};
  pid_t pid;
  const ls_child c = {.words = words, .in = -1, .out = out, .err = -1, .guarded = true};
  if (ls_child_start(&c, &pid)) _exit(1);
  for (;;) pause();
}

/* If a process is killed, its guarded children end, and so do their own children. */
static void guarded_children_end_with_us(void **state) {
  (void)state;
  int ends[2];
  char text[4];
  assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (!child) start_guarded(ends[1]);
  close(ends[1]);
  assert_int_equal(read(ends[0], text, sizeof text), 2);
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, NULL, 0), child);
  struct pollfd p = {.fd = ends[0], .events = POLLIN};
  assert_int_equal(poll(&p, 1, 10000), 1); /* all processes that held the other end have ended */
  assert_int_equal(read(ends[0], text, sizeof text), 0);
  close(ends[0]);
}

/* A guarded child gets its arguments and standard input unchanged, and its exit status is passed on. */
static void a_guarded_child_is_the_program(void **state) {
  (void)state;
  char *const words[] = {"sh", "-c", "read x; echo \"$x $1\"; exit 7", "sh", "a  \"b\" $c", NULL};
  int in[2], out[2], status;
  char text[64] = "";
  pid_t pid;
  assert_int_equal(pipe2(in, O_CLOEXEC), 0);
  assert_int_equal(pipe2(out, O_CLOEXEC), 0);
  const ls_child c = {.words = words, .in = in[0], .out = out[1], .err = -1, .guarded = true};
  assert_int_equal(ls_child_start(&c, &pid), 0);
  close(in[0]), close(out[1]);
  assert_int_equal(write(in[1], "hello\n", 6), 6);
  close(in[1]);
  assert_int_equal(read(out[0], text, sizeof text - 1), 16);
  assert_string_equal(text, "hello a  \"b\" $c\n");
  assert_int_equal(ls_child_wait(pid, &status), 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  close(out[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(guarded_children_end_with_us),
      cmocka_unit_test(a_guarded_child_is_the_program),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
