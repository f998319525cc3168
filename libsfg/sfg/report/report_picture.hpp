#pragma once
#include <string>

#include "sfg/draw/scene.hpp"
#include "sfg/report/report.hpp"

// Not installed.
namespace sfg {

/// A picture as a part of a page.
ReportPart picture_part(std::variant<Scene, Drawing>, std::string caption);
/// The graph laid out, its nodes as large as the style has them.
Drawing drawn(const ReportGraph&, const HouseStyle*, const Budget&);

}  // namespace sfg
