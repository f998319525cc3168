#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "sfg/expr/math_tree.hpp"

namespace sfg {

/// True for the notations that people read: LaTeX, Unicode, markup.
bool is_mathematical(Notation);
std::string mathematical_text(const Math&, Notation);
/// Of "1.5e-06", a number in one piece: whether its exponent is negative, and 6.
std::pair<bool, std::string> exponent_of(std::string_view number);
/// The sign of parallel combinations, which stands between * and +: whether a part of such a relation needs brackets.
constexpr std::string_view parallel_sign = "∥";
inline bool is_loose_beside(const Math& relation, const Math& part) {
  return relation.text == parallel_sign && (part.kind == Math::Kind::sum || part.kind == Math::Kind::negative);
}

/// dk: the word "d" and a name, without a sign between them, which no denominator and no power puts in brackets.
inline bool is_differential(const Math& m) {
  return m.kind == Math::Kind::product && m.parts.size() == 2 && m.parts[0] == Math::word("d") &&
         m.parts[1].kind == Math::Kind::name;
}

}  // namespace sfg
