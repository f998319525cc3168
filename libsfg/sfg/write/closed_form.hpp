#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <utility>

#include "sfg/expr/condition.hpp"
#include "sfg/response/closed_form.hpp"

namespace sfg {

/// A time function, an impulse as delta(t - 1), its derivative as delta'(t - 1); "" where it is too long to be read.
std::string shown_text(const ClosedForm&);

/// Time functions with symbols; `verb` is step or impulse.
void write_text(std::ostream&, std::span<const std::pair<std::string, SymbolicResponse>>, const PositiveLetters& = {});
void write_json(std::ostream&, std::span<const std::pair<std::string, SymbolicResponse>>, const std::string& verb,
                const PositiveLetters& = {});

}  // namespace sfg
