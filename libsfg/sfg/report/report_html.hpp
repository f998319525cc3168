#pragma once
#include "sfg/write/page/page.hpp"

// Not installed.
namespace sfg {

/// Pages within a report: headings below those of its sections, formulas as wide as a line on paper, in ems of its type.
inline constexpr HtmlOptions report_html{.heading = 3, .part = true, .room = 41};

}  // namespace sfg
