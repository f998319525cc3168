#pragma once
#include <string>

#include "sfg/report/report.hpp"

// Not installed.
namespace sfg {

/// An SVG as a part of a page: its names (`id`) begin with `scope`, so that several stand side by side.
ReportPart picture_part(std::string svg, const std::string& scope, std::string caption, std::string transfer = {});

}  // namespace sfg
