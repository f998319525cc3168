#pragma once
#include <string>

#include "sfg/draw/scene.hpp"
#include "sfg/report/report.hpp"

// Not installed.
namespace sfg {

/// An SVG as a part of a page.
ReportPart picture_part(std::string svg, std::string caption, std::string transfer = {});

/// A scene as a part of pages, on the screen and on paper.
ReportPart picture_part(const Scene&, std::string caption);

}  // namespace sfg
