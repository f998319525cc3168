#pragma once
#include <map>
#include <string>
#include <vector>

#include "tools/frame/verb.hpp"
#include "tools/weave/fence.hpp"
#include "tools/weave/page_kind.hpp"

namespace sfg::command {

/// What a fence asks for.
struct FenceQuestion {
  std::string verb;                  ///< "" where none is named
  std::vector<std::string> options;  ///< without file= and alt=
  std::string file, alt;
};
FenceQuestion question_of(const Fence&);

/// The verb answers by its picture.
bool draws(const std::string& verb);

/// The words with which the verb is run. @throws UsageError where the fence asks for what it cannot have.
/// @param notation  of formulas and tables
std::vector<std::string> words_of(const FenceQuestion&, const Fence&, const PageKind&, const std::string& notation);

/// What a fence's answer depends on: its words and body, the files that it names, and those that these name, the version of this
/// program. Files are read once.
class FenceKeys {
 public:
  /// @param folder  that of the page
  std::string of(const Fence&, const FenceQuestion&, const std::string& notation, const std::string& folder);

 private:
  struct File {
    std::string digest;
    std::vector<std::string> named;
  };
  const File& file(const std::string& path);
  bool is_file(const std::string& path);
  std::vector<std::string> named_in(std::string_view text, const std::string& folder);

  std::map<std::string, File> files_;
  std::map<std::string, bool> known_;
};

}  // namespace sfg::command
