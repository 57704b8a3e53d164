
#undef main
#undef exit
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ext/stdio_sync_filebuf.h>
#include <iostream>
#include <streambuf>
#include <sys/time.h>
/* Runs the program above from one text to another: input and output are in memory, a crash or a hang comes back. */
namespace bootcamp_reference_ {
static sigjmp_buf back;
static char other_stack[1 << 16];
static void caught(int number) { siglongjmp(back, 100 + number); }
}  // namespace bootcamp_reference_
extern "C" {
void *__dso_handle __attribute__((visibility("hidden"))) = nullptr;
void bootcamp_exit(int) noexcept { siglongjmp(bootcamp_reference_::back, 1); }
}
bool std::ios_base::bootcamp_sync(bool) { return true; }
extern "C" long bootcamp_reference(const char *in, unsigned long size, char *out, unsigned long room) {
  using namespace bootcamp_reference_;
  static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGVTALRM};
  struct sigaction now, before[6];
  std::memset(&now, 0, sizeof now);
  now.sa_handler = caught;
  now.sa_flags = SA_ONSTACK | SA_NODEFER;
  stack_t stack, old_stack;
  std::memset(&stack, 0, sizeof stack);
  stack.ss_sp = other_stack;
  stack.ss_size = sizeof other_stack;
  sigaltstack(&stack, &old_stack);
  for (int i = 0; i < 6; i++) sigaction(watched[i], &now, &before[i]);
  struct itimerval timer, old_timer;
  std::memset(&timer, 0, sizeof timer);
  timer.it_value.tv_usec = 500000;
  setitimer(ITIMER_VIRTUAL, &timer, &old_timer);
  FILE *real_in = stdin, *real_out = stdout;
  char *text = nullptr;
  size_t length = 0;
  stdin = fmemopen((void *)in, size ? size : 1, "r");
  FILE *memory = open_memstream(&text, &length);
  stdout = memory;
  __gnu_cxx::stdio_sync_filebuf<char> from_stdin(stdin), to_stdout(stdout);  // some programs read both ways
  std::streambuf *was_in = std::cin.rdbuf(&from_stdin);
  std::streambuf *was_out = std::cout.rdbuf(&to_stdout);
  std::streambuf *was_error = std::cerr.rdbuf(nullptr);
  FILE *real_error = stderr, *nowhere = std::fopen("/dev/null", "w");
  if (nowhere) stderr = nowhere;
  std::cin.clear();
  std::cout.clear();
  int code = sigsetjmp(back, 1);
  if (code == 0) bootcamp_main();
  memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_VIRTUAL, &old_timer, nullptr);
  for (int i = 0; i < 6; i++) sigaction(watched[i], &before[i], nullptr);
  sigaltstack(&old_stack, nullptr);
  std::cin.rdbuf(was_in);
  std::cout.rdbuf(was_out);
  std::cerr.rdbuf(was_error);
  stderr = real_error;
  if (nowhere) std::fclose(nowhere);
  if (code < 100) std::fflush(memory);
  stdin = real_in;
  stdout = real_out;
  if (code >= 100) return -code;
  unsigned long used = length < room ? length : room;
  std::memcpy(out, text, used);
  return (long)used;
}
