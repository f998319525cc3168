#include "sfg/report/report_picture.hpp"

namespace sfg {

namespace {

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

/// Every selector of flat rules behind the name of the picture: "#tree path,#tree .edge{…}".
std::string bound(std::string_view rules, const std::string& scope) {
  std::string bound;
  bool in_selector = true, fresh = true;
  for (const char c : rules) {
    if (in_selector && fresh && c != '\n' && c != ' ') {
      bound += "#" + scope + " ";
      fresh = false;
    }
    bound += c;
    if (c == '{') in_selector = false;
    if (c == '}') in_selector = true;
    if (c == '}' || c == ',') fresh = true;
  }
  return bound;
}

}  // namespace

ReportPart picture_part(std::string svg, const std::string& scope, std::string caption, std::string transfer) {
  if (const std::size_t begin = svg.find("<svg"); begin != svg.npos) svg.erase(0, begin);
  if (const std::size_t title = svg.find("<title id=\"title\">"); title != svg.npos) {  // a picture that knows of no others
    svg.insert(4, " id=\"" + scope + "\"");
    replace_all(svg, "\"title description\"", "\"" + scope + "-title " + scope + "-description\"");
    replace_all(svg, "<title id=\"title\">", "<title id=\"" + scope + "-title\">");
    replace_all(svg, "<desc id=\"description\">", "<desc id=\"" + scope + "-description\">");
    const std::size_t begin = svg.find("<style>") + 7, end = svg.find("</style>");
    if (end != svg.npos && begin < end)
      svg.replace(begin, end - begin, bound(std::string_view(svg).substr(begin, end - begin), scope));
  }
  Page page;
  page.add(Picture{std::move(svg), std::move(caption)});
  return {std::move(transfer), std::move(page)};
}

}  // namespace sfg
