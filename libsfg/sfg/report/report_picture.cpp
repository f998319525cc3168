#include "sfg/report/report_picture.hpp"

#include "sfg/draw/picture.hpp"

namespace sfg {

ReportPart picture_part(std::string svg, std::string caption, std::string transfer) {
  Page page;
  page.add(Picture{std::move(svg), std::move(caption)});
  return {std::move(transfer), std::move(page)};
}

ReportPart picture_part(const Scene& scene, std::string caption) {
  ReportPart part = picture_part(picture(scene, PictureFormat::svg), std::move(caption));
  part.tikz = picture(scene, PictureFormat::tex, {.theme = Theme::light, .fragment = true});
  return part;
}

}  // namespace sfg
