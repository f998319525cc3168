#pragma once
#include <iosfwd>
#include <string>

#include "sfg/study/tuning/tuning.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// @param check  a command or call that shows the result again, "" for none
Page page(const Tuning&, const std::string& check = "");
/// {"schema": "sfg/tune/1", …}: docs/schema/tune.schema.json.
void write_json(std::ostream&, const Tuning&, const std::string& input, const std::string& output);

}  // namespace sfg
