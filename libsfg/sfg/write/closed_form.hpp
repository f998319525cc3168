#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <utility>

#include "sfg/response/closed_form.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

/// Time functions with symbols; `verb` is step or impulse.
Page page(std::span<const std::pair<std::string, SymbolicResponse>>);
void write_json(std::ostream&, std::span<const std::pair<std::string, SymbolicResponse>>, const std::string& verb);

}  // namespace sfg
