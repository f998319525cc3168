#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sfg/export/c/code_lines.hpp"
#include "sfg/export/exported_parameters.hpp"

namespace sfg {

/// The prefix of steps that are to be written in another way than as variables: "@1", "@2" …, which no formula has otherwise.
inline constexpr const char* step_mark = "@";

/// A formula whose steps "@k" are written as that function says (k from 1).
std::string with_steps(const std::string& formula, const std::function<std::string(std::size_t k)>& step);

/// The value of a parameter in a file: its number, or one formula of the others that it follows.
/// @param names  what the parameters are called there, in the order of `all`
std::string stated_formula(const ExportedParameter&, const std::vector<ExportedParameter>& all,
                           const std::vector<std::string>& names, const CodeSyntax&);

}  // namespace sfg
