#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tools/frame/verb.hpp"

namespace sfg::command {

/// The command was called wrongly: exit status 2.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message, Remedy hint = {}) : std::runtime_error(message), hint_(std::move(hint)) {}
  const Remedy& hint() const noexcept { return hint_; }

 private:
  Remedy hint_;
};

/// The words of one command line, read by the tables of options.
class Arguments {
 public:
  /// `words`: what follows the verb.
  /// @throws UsageError with the nearest option or choice as a hint.
  Arguments(const Verb& verb, std::span<const std::string> words);

  const std::string& verb() const noexcept { return verb_; }
  Parameters parameters() const noexcept { return parameters_; }
  bool keeps_laws() const noexcept { return keeps_laws_; }
  const std::string& input() const noexcept { return input_; }  ///< a path, or "-"
  /// Of a verb that takes several: all of them; else the one, or none.
  const std::vector<std::string>& inputs() const noexcept { return inputs_; }
  Arguments with_input(const std::string& path) const;
  /// A copy whose reading does not count as that of these words.
  Arguments unread_copy() const;
  /// With these values of an option; without it where there are none.
  Arguments with(const std::string& option, std::vector<std::string> values) const;
  bool has(std::string_view option) const;  ///< names without the dashes: "json"
  std::string text(std::string_view option, std::string otherwise = {}) const;
  std::vector<std::string> list(std::string_view option) const;
  std::optional<double> number(std::string_view option) const;
  std::uint64_t count(std::string_view option, std::uint64_t otherwise) const;

  /// Options that were given and that nobody has asked for: they made no difference.
  std::vector<std::string> unread() const;

 private:
  struct Reading;
  using Values = std::map<std::string, std::vector<std::string>, std::less<>>;
  Values::const_iterator read(std::string_view option) const;

  std::string verb_;
  Parameters parameters_;
  bool keeps_laws_;
  std::string input_;
  std::vector<std::string> inputs_;
  Values values_;
  std::shared_ptr<Reading> reading_;  ///< shared by the copies: what one has asked for is asked for
};

/// Options of every verb (docs/design/interface.md, section 1).
const std::vector<Option>& common_options();

/// What a page is written as: what --notation says, else what the name of the file does: text, unicode, latex, markdown, html.
std::string notation_of(const Arguments&);

/// True when the words ask for help: they may be incomplete then.
bool asks_for_help(std::span<const std::string> words);
/// True when the words ask for JSON, whatever else is wrong with them.
bool asks_for_json(std::span<const std::string> words);

}  // namespace sfg::command
