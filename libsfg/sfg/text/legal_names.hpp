#pragma once
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfg {

/// Gives every name one that a target may have: letters of ASCII, digits and "_", none twice, none that is reserved there. Greek
/// letters are spelt out; a name that is legal and free is kept.
class LegalNames {
 public:
  explicit LegalNames(std::set<std::string> reserved = {}) : taken_(std::move(reserved)) {}

  /// A name of its own for each call.
  std::string operator()(std::string_view name);
  /// Old and new, where they differ.
  const std::vector<std::pair<std::string, std::string>>& renamed() const noexcept { return renamed_; }

 private:
  std::set<std::string> taken_;
  std::vector<std::pair<std::string, std::string>> renamed_;
};

/// The words of a text, "if then else".
std::set<std::string> words_in(std::string_view text);

}  // namespace sfg
