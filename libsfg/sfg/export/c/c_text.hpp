#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/export/c/code_lines.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/targets.hpp"

// Not installed: what the parts of a C file share.
namespace sfg {

/// Names, numbers and formulas of one file of C that is C++, too. The functions that formulas need are remembered.
class CText {
 public:
  CText(const ExportSubject&, const std::vector<ExportedParameter>&, bool single);

  const std::string& name() const noexcept { return name_; }  ///< of the file's functions
  bool single() const noexcept { return single_; }
  /// Of the file and of the parameters: as they were, and as they are here.
  const std::vector<std::pair<std::string, std::string>>& renamed() const noexcept { return renamed_; }

  /// With $N (the name), $R (double, or float), $f (the end of the functions of math.h) and $l (that of numbers) filled in, and
  /// with `more` before these.
  std::string filled(std::string_view text, const std::vector<std::pair<std::string, std::string>>& more = {}) const;
  /// A literal, its sign before it. @throws NoAnswer where no float is as great
  std::string number(double) const;
  /// "1.0, 2.0", broken into lines.
  std::string numbers(std::span<const double>) const;
  static std::string string(std::string_view);

  /// Statements that calculate a tape, and formulas of its outputs.
  struct Block {
    std::string statements;
    std::vector<std::string> outputs;
  };
  /// @param others  what the inputs behind the parameters are called: "t", "x[0]"
  Block block(const numeric::Tape&, std::span<const std::string> others = {});
  /// A name that no parameter has.
  std::string own(std::string_view name) const { return prefix_ + std::string(name); }
  /// Functions that the blocks call.
  std::string helpers() const;
  /// "  (void)x;\n" for those of the words that are not in the text.
  static std::string unused(std::span<const std::string_view> words, std::string_view text);

 private:
  CodeText call(numeric::Operation, const std::string& left, const std::string& right);
  CodeText power(const std::string& base, int exponent);
  CodeText lookup(std::size_t number_of_code, const std::string& at);

  bool single_;
  std::string name_, prefix_ = "v";
  std::vector<std::string> parameters_;
  std::vector<std::pair<std::string, std::string>> renamed_;
  std::map<std::string, std::string> helpers_;  ///< by their names
};

/// A tape of these outputs of another.
numeric::Tape outputs_of(const numeric::Tape&, std::span<const std::size_t> numbers);

}  // namespace sfg
