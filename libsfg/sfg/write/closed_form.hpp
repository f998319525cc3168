#pragma once
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "sfg/expr/condition.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// A time function, an impulse as delta(t - 1), its derivative as delta'(t - 1); nothing where it is too long to be read.
std::optional<Math> shown_expression(const ClosedForm&);

/// Time functions with symbols; `verb` is step or impulse.
Page page(std::span<const std::pair<std::string, SymbolicResponse>>, const PositiveLetters& = {});
void write_json(std::ostream&, std::span<const std::pair<std::string, SymbolicResponse>>, const std::string& verb,
                const PositiveLetters& = {});

}  // namespace sfg
