#pragma once
#include <ginac/ginac.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sfg/exact/rational.hpp"

// Not installed: numbers that no double holds exactly.
namespace sfg {

/// Puts a symbol in the place of every number that no double holds exactly, so that a tape of what is left is exact.
class ExactNumbers : public GiNaC::map_function {
 public:
  GiNaC::ex operator()(const GiNaC::ex&) override;
  /// The number itself where a double holds it, else plus or minus its symbol.
  GiNaC::ex number(const exact::Rational&);
  /// The values of the symbols, in the order of their appearance, with their names, which no model has.
  const std::vector<std::pair<std::string, exact::Rational>>& found() const { return found_; }

 private:
  GiNaC::ex symbol(const exact::Rational& value);

  std::map<exact::Rational, GiNaC::ex> symbols_;
  std::vector<std::pair<std::string, exact::Rational>> found_;
};

}  // namespace sfg
