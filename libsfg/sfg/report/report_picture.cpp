#include "sfg/report/report_picture.hpp"

namespace sfg {

ReportPart picture_part(std::variant<Scene, Drawing> drawn, std::string caption) {
  Page page;
  page.add(Picture{std::move(drawn), std::move(caption)});
  return {{}, std::move(page)};
}

}  // namespace sfg
