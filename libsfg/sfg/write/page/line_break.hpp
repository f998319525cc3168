#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "sfg/expr/math_tree.hpp"

namespace sfg {

/// Where a line of text goes on: how many characters it may have, and how far the next is indented.
struct LineRoom {
  std::size_t width = 100;
  std::size_t indent = 0;
};

/// A formula of text or Unicode after so many characters of its first line, broken before signs of the outermost sum, then of
/// inner ones, then between factors. A power of `main` begins a line where the whole needs several.
std::string broken_formula(std::string_view formula, std::size_t column, LineRoom, std::string_view main = {});

/// Words after so many characters of their first line, broken between words.
std::string broken_words(std::string_view words, std::size_t column, LineRoom);

/// The power of the operator among the factors of a term; nothing where it is no factor. A new line begins where it changes.
std::optional<Math> power_of(const Math& term, std::string_view main);
/// What takes brackets in a product.
bool is_loose(const Math&);

}  // namespace sfg
