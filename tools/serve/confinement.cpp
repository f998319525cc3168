#include "tools/serve/confinement.hpp"

#include <fcntl.h>
#include <link.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace sfg::command {

namespace {

constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t of_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr std::uint64_t everything = 2 * LANDLOCK_ACCESS_FS_MAKE_SYM - 1;  ///< all that the first version knows

void allow(int rules, const char* path, std::uint64_t access) {
  const int file = ::open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return;  // a system without it
  landlock_path_beneath_attr rule{};
  rule.allowed_access = access;
  rule.parent_fd = file;
  ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  ::close(file);
}

/// The libraries of this process, wherever they lie: a child is the same program again.
void allow_libraries(int rules) {
  const auto each = [](dl_phdr_info* library, std::size_t, void* to) {
    if (*library->dlpi_name == '/') allow(*static_cast<int*>(to), library->dlpi_name, of_files & ~LANDLOCK_ACCESS_FS_WRITE_FILE);
    return 0;
  };
  ::dl_iterate_phdr(each, &rules);
}

std::filesystem::path running_file() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

}  // namespace

std::string folder_of_own_loader() {
  const std::filesystem::path file = running_file();
  return file.filename().string().starts_with("ld-linux") ? file.parent_path().string() : "";
}

Confinement::Confinement(const char* folder) {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return;
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = everything;
  rules_ = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0));
  if (rules_ < 0) return;
  for (const char* system :
       {"/usr", "/bin", "/lib", "/lib32", "/lib64", "/opt", "/nix", "/etc", "/proc", "/sys", "/var/lib", "/var/cache"})
    allow(rules_, system, reading);
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
    allow(rules_, device, of_files);
  if (const std::string own = folder_of_own_loader(); !own.empty())
    allow(rules_, own.c_str(), reading);
  else
    allow(rules_, running_file().c_str(), of_files & ~LANDLOCK_ACCESS_FS_WRITE_FILE);
  allow_libraries(rules_);
  allow(rules_, folder, everything);
}

Confinement::~Confinement() {
  if (rules_ >= 0) ::close(rules_);
}

void Confinement::enter() const {
  if (rules_ >= 0) ::syscall(SYS_landlock_restrict_self, rules_, 0);
}

}  // namespace sfg::command
