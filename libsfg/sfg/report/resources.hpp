#pragma once
#include <string_view>

namespace sfg {

// The files of report/page/, compiled in.

extern const std::string_view page_style;   ///< style.css
extern const std::string_view page_script;  ///< the scripts one after the other: numbers.js, …, page.js

}  // namespace sfg
