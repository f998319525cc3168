#pragma once
#include <ginac/ginac.h>

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg::test {

class RandomText {
 public:
  explicit RandomText(std::uint64_t seed, bool functions = true) : random_(seed), functions_(functions) {}

  std::string operator()(int depth) {
    if (depth == 0) return leaf();
    switch (random_() % (functions_ ? 12 : 9)) {
      case 0:
      case 1: return (*this)(depth - 1) + " + " + (*this)(depth - 1);
      case 2:
      case 3: return "(" + (*this)(depth - 1) + ") - (" + (*this)(depth - 1) + ")";
      case 4:
      case 5: return "(" + (*this)(depth - 1) + ")*(" + (*this)(depth - 1) + ")";
      case 6: return "(" + (*this)(depth - 1) + ")/(" + (*this)(depth - 1) + ")";
      case 7: return "(" + (*this)(depth - 1) + ")^" + std::to_string(random_() % 4 + 1);
      case 8: return "-(" + (*this)(depth - 1) + ")^(-" + std::to_string(random_() % 3 + 1) + ")";
      case 9: return "(" + (*this)(depth - 1) + ")^(" + std::array{"1/2", "-1/2", "3/2", "1/3"}[random_() % 4] + ")";
      case 10: return "2^(" + (*this)(depth - 1) + ")";
      default: return std::array{"sin", "exp", "sqrt", "abs", "atan", "step"}[random_() % 6] + ("(" + (*this)(depth - 1) + ")");
    }
  }

 private:
  std::string leaf() {
    if (random_() % 3 == 0) return std::array{"2", "3/7", "0.1", "0.001", "12"}[random_() % 5];
    return std::array{"a", "b2", "b10", "s", "I", "φ"}[random_() % 6];
  }

  std::mt19937_64 random_;
  bool functions_;
};

/// The expression of a random text; nothing when the text divides by zero or takes log 0.
inline std::optional<GiNaC::ex> random_expression(std::uint64_t seed, SymbolTable& symbols, bool functions = true) {
  try {
    return parse(RandomText(seed, functions)(4), symbols);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace sfg::test
