#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/control/routh.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// `ranges` with the parameter's name when they were asked for.
Page page(const RouthArray&, const std::string& parameter, std::span<const OpenRange> ranges);
void write_json(std::ostream&, const RouthArray&, const std::string& parameter, std::span<const OpenRange> ranges);

}  // namespace sfg
