#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sfg {

/// True for a name of the grammar: a letter (Latin, Greek in UTF-8) or "_", then letters, digits, "_".
bool is_name(std::string_view text);
/// Bytes of the name at the front of the text; 0 when there is none.
std::size_t name_length(std::string_view text);

/// Order of names in which x2 comes before x10.
bool name_less(std::string_view a, std::string_view b);

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  ///< 0: not UTF-8
};

/// The first character, strictly decoded: no overlong forms, surrogates or values above U+10FFFF.
CodePoint first_code_point(std::string_view text);

}  // namespace sfg
