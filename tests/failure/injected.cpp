// Loaded before a program (LD_PRELOAD), it lets the n-th allocation, or the n-th call of the system of one kind, fail, as memory,
// disks and descriptors do that are at their end. main() becomes a server: for every order on a descriptor a fork runs the
// program with its failure, so that thousands of runs cost no start. tests/failure/failures.py gives the orders.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string_view>

namespace {

enum class Kind : std::int32_t { none, allocation, open, read, write, fsync, rename, close, mmap, large };
constexpr std::size_t large = 1024;  ///< bytes, of what grows

struct Order {
  Kind kind;
  std::int32_t unused;
  std::int64_t number;  ///< which call fails, from 1; 0: none
};
struct Report {
  std::int32_t status;   ///< of waitpid()
  std::int32_t reached;  ///< whether there were so many calls
};

Order order{Kind::none, 0, 0};
std::atomic<std::int64_t> calls = 0;
std::int32_t* reached = nullptr;  // shared with the server

/// Where the libraries of Graphviz are, which crash where they get no memory: our check of DOT sees to it that they have some.
struct {
  std::uintptr_t begin = 0, end = 0;
} of_graphviz[2];

int find_graphviz(dl_phdr_info* library, std::size_t, void*) {
  const std::string_view name = library->dlpi_name;
  const std::size_t which = name.find("/libcgraph.") != name.npos ? 0 : name.find("/libcdt.") != name.npos ? 1 : 2;
  if (which == 2) return 0;
  of_graphviz[which].begin = library->dlpi_addr;
  for (int i = 0; i < library->dlpi_phnum; ++i)
    if (const auto& part = library->dlpi_phdr[i]; part.p_type == PT_LOAD)
      of_graphviz[which].end = library->dlpi_addr + part.p_vaddr + part.p_memsz;
  return 0;
}

bool fails(Kind kind, void* caller = nullptr) {
  for (const auto& library : of_graphviz)
    if (const auto place = reinterpret_cast<std::uintptr_t>(caller); library.begin <= place && place < library.end) return false;
  if (kind != order.kind || ++calls != order.number) return false;
  *reached = 1;
  return true;
}
bool no_room(std::size_t bytes, void* caller = nullptr) {
  return fails(Kind::allocation, caller) || (bytes >= large && fails(Kind::large, caller));
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

using Main = int(int, char**, char**);
Main* program = nullptr;

/// The program in a fork, with its streams in files of the folder that it works in.
[[noreturn]] void run(const Order& wanted, int count, char** words, char** environment) {
  const int out = ::open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666),
            err = ::open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::dl_iterate_phdr(find_graphviz, nullptr);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::close(out);
  ::close(err);
  ::unsetenv("LD_PRELOAD");
  constexpr unsigned most_seconds = 120;
  ::alarm(most_seconds);
  order = wanted;
  std::exit(program(count, words, environment));
}

int serve(int count, char** words, char** environment) {
  const char* asked = std::getenv("SFG_INJECT_ORDERS");
  const char* answered = std::getenv("SFG_INJECT_REPORTS");
  if (asked == nullptr || answered == nullptr) return program(count, words, environment);
  const int from = std::atoi(asked), to = std::atoi(answered);
  reached = static_cast<std::int32_t*>(
      ::mmap(nullptr, sizeof(std::int32_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (Order given{}; ::syscall(SYS_read, from, &given, sizeof given) == sizeof given;) {
    *reached = 0;
    const pid_t child = ::fork();
    if (child == 0) {
      ::syscall(SYS_close, from);
      ::syscall(SYS_close, to);
      run(given, count, words, environment);
    }
    Report report{};
    ::waitpid(child, &report.status, 0);
    report.reached = *reached;
    if (::syscall(SYS_write, to, &report, sizeof report) != sizeof report) return 1;
  }
  return 0;
}

}  // namespace

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

int __libc_start_main(Main* main, int count, char** words, void (*begin)(), void (*end)(), void (*unload)(), void* stack) {
  program = main;
  return next<int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*)>("__libc_start_main")(serve, count, words, begin,
                                                                                                       end, unload, stack);
}

static void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}
void* malloc(std::size_t bytes) { return no_room(bytes, __builtin_return_address(0)) ? no_memory() : __libc_malloc(bytes); }
void* calloc(std::size_t count, std::size_t bytes) {
  return no_room(count * bytes, __builtin_return_address(0)) ? no_memory() : __libc_calloc(count, bytes);
}
void* realloc(void* old, std::size_t bytes) {
  return no_room(bytes, __builtin_return_address(0)) ? no_memory() : __libc_realloc(old, bytes);
}
void* aligned_alloc(std::size_t to, std::size_t bytes) { return no_room(bytes) ? no_memory() : __libc_memalign(to, bytes); }
int posix_memalign(void** memory, std::size_t to, std::size_t bytes) {
  *memory = no_room(bytes) ? nullptr : __libc_memalign(to, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

static int failed(int error) {
  errno = error;
  return -1;
}
static int opened(int folder, const char* path, int flags, va_list rest) {
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  return fails(Kind::open) ? failed(EMFILE) : static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}
int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int number = opened(AT_FDCWD, path, flags, rest);
  va_end(rest);
  return number;
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int number = opened(folder, path, flags, rest);
  va_end(rest);
  return number;
}
int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));
int mkostemp(char* path, int flags) {
  return fails(Kind::open) ? failed(EMFILE) : next<int(char*, int)>("mkostemp")(path, flags);
}
int mkostemp64(char* path, int flags) __attribute__((alias("mkostemp")));
FILE* fopen(const char* path, const char* how) {
  if (!fails(Kind::open)) return next<FILE*(const char*, const char*)>("fopen")(path, how);
  errno = EMFILE;
  return nullptr;
}
FILE* fopen64(const char* path, const char* how) __attribute__((alias("fopen")));
ssize_t read(int number, void* bytes, std::size_t count) {
  return fails(Kind::read) ? failed(EIO) : ::syscall(SYS_read, number, bytes, count);
}
ssize_t write(int number, const void* bytes, std::size_t count) {
  return fails(Kind::write) ? failed(ENOSPC) : ::syscall(SYS_write, number, bytes, count);
}
int fsync(int number) { return fails(Kind::fsync) ? failed(EIO) : static_cast<int>(::syscall(SYS_fsync, number)); }
int rename(const char* from, const char* to) {
  return fails(Kind::rename) ? failed(EIO) : static_cast<int>(::syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}
int close(int number) {
  const bool bad = fails(Kind::close);  // it is closed all the same, as Linux does
  const int result = static_cast<int>(::syscall(SYS_close, number));
  return bad ? failed(EIO) : result;
}
void* mmap(void* at, std::size_t bytes, int rights, int flags, int number, off_t offset) {
  if (fails(Kind::mmap)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(::syscall(SYS_mmap, at, bytes, rights, flags, number, offset));
}
void* mmap64(void* at, std::size_t bytes, int rights, int flags, int number, off_t offset) __attribute__((alias("mmap")));

}  // extern "C"
