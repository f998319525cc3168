#include "sfg/expr/print_math.hpp"

namespace sfg {

bool is_mathematical(Notation) { return false; }
std::string mathematical_text(const PrintSum& form, Notation) { return form_text(form); }
std::string print_name(std::string_view name, Notation) { return std::string(name); }

}  // namespace sfg
