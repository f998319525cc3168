#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sfg {

/// One letter of formulas that have nothing but + - * / ^, whole numbers and names.
struct FormulaLetter {
  enum class Kind {
    symbol,    ///< a symbol of the model
    function,  ///< stands for exp(-T*s), sin(a), pi: equations between fractions that hold for any value hold for that one
    root,      ///< the `degree`-th root of `of`
  };
  std::string name;
  Kind kind = Kind::symbol;
  std::string of = {};     ///< of a function what it stands for; of a root what is under it, in letters
  std::size_t degree = 1;  ///< of a root
  GiNaC::ex value = {};    ///< that it stands for
};

class ExponentialFamily;

/// Writes expressions in letters: every function value and every root gets one of its own.
class FormulaLetters {
 public:
  /// @param expressions  all that will be written: exponentials such as exp(-s*T) and exp(-s*T/2) become powers of one letter
  /// @param defined      names in them that are defined elsewhere, and are no letters
  explicit FormulaLetters(std::span<const GiNaC::ex> expressions, std::set<std::string> defined = {});

  /// @throws NoAnswer for a number that is not real.
  GiNaC::ex written(const GiNaC::ex&);
  /// Those that were met so far, roots after what is under them.
  const std::vector<FormulaLetter>& all() const noexcept { return letters_; }

 private:
  void collect(const GiNaC::ex&);
  GiNaC::ex root(const GiNaC::ex&);
  GiNaC::ex letter(FormulaLetter::Kind, const GiNaC::ex& value, std::string of, std::size_t degree = 1);
  std::string fresh_name();

  std::set<std::string> defined_;
  std::set<std::string> taken_;  ///< names
  std::vector<FormulaLetter> letters_;
  std::map<std::string, GiNaC::ex> known_;  ///< by the printed value
  using Families = std::vector<ExponentialFamily>;
  std::map<std::string, std::shared_ptr<Families>> powers_;  ///< by the printed unit of exponential()
};

}  // namespace sfg
