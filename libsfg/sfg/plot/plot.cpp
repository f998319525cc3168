#include "sfg/plot/plot.hpp"

#include <fmt/format.h>

#include <ostream>

#include "sfg/draw/scope.hpp"
#include "sfg/plot/figure_picture.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

void write_svg(std::ostream& out, const Figure& figure) {
  const FigurePicture picture(figure);
  const std::string title = figure.title.plain(), description = description_of(figure, picture);
  const std::string body = svg_text(picture.body()), scope = scope_of(title + description + body);
  out << fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\" role=\"img\" "
      "aria-labelledby=\"{0}-title {0}-description\">\n"
      "<title id=\"{0}-title\">{3}</title>\n<desc id=\"{0}-description\">{4}</desc>\n<style>\n{5}</style>\n"
      "<rect class=\"paper\" width=\"{1}\" height=\"{2}\"/>\n",
      scope, figure.width, static_cast<int>(picture.height()), xml_text(title), xml_text(description),
      plot_style(scope, figure.theme, picture.inks()));
  out << svg_text(picture.head()) << body << "</svg>\n";
}

}  // namespace sfg
