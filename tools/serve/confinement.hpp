#pragma once
#include <string>

namespace sfg::command {

/// Where this program lies with its own loader, which began it (tools/packages/self-contained); "" where that of the system did.
std::string folder_of_own_loader();

/// The rest of this process and of those it starts can read programs, libraries and settings of the system alone, write in
/// `folder` and to devices, and open no connection (Landlock, where the kernel has it). What belongs to the user is out of reach,
/// whatever a model says. Made before a process is forked, entered in it.
class Confinement {
 public:
  /// @param folder  may be read and written
  explicit Confinement(const char* folder);
  Confinement(const Confinement&) = delete;
  Confinement& operator=(const Confinement&) = delete;
  ~Confinement();

  /// Calls nothing that a forked process of many threads may not call. Needs PR_SET_NO_NEW_PRIVS.
  void enter() const;

 private:
  int rules_ = -1;
};

}  // namespace sfg::command
