#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/numeric/lookup_table.hpp"

namespace sfg {

/// Tables of a model by what a law calls them: a name; or a function and a file, spline "force.csv".
using TableNames = std::map<std::string, std::size_t, std::less<>>;

/// table, spline and monotone: the functions of the grammar whose points, or file of points, stand in the law itself.
std::optional<numeric::Interpolation> interpolation_of(std::string_view function);
std::string_view function_of(numeric::Interpolation);

/// The key of a file in TableNames, and the name of its table. The file is as written, with its quotation marks.
std::string file_key(std::string_view function, std::string_view quoted_file);

/// Its points: "[0, 0]", "[1, 2.5]".
std::vector<std::string> table_points(std::size_t number);
/// How a law calls a table: the name of the function, then what follows the argument: "table", "[0, 0]", "[1, 2]".
std::vector<std::string> table_text(std::size_t number);

}  // namespace sfg
