#include "sfg/read/svg_places.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "sfg/read/graphml/xml_text.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {
namespace {

bool of_class(pugi::xml_node node, std::string_view wanted) {
  const std::string classes = " " + std::string(node.attribute("class").value()) + " ";
  return classes.find(" " + std::string(wanted) + " ") != std::string::npos;
}

std::optional<double> next_number(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == ',' || text.front() == 'M' || text.front() == 'C'))
    text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// "M1,2 C3,4 5,6 7,8 …"; empty for any other course.
std::vector<Places::At> curve(std::string_view text) {
  std::vector<Places::At> points;
  while (true) {
    const auto x = next_number(text), y = x ? next_number(text) : std::nullopt;
    if (!x) break;
    if (!y) return {};
    points.push_back({*x, *y});
  }
  return text.empty() && points.size() > 3 && points.size() % 3 == 1 ? points : std::vector<Places::At>{};
}

class SvgPicture {
 public:
  explicit SvgPicture(const SourceText& source) : xml_(source) {}

  Places places() {
    const pugi::xml_node root = xml_.root();
    if (XmlText::local_name(root) != "svg")
      throw Error(xml_.where(root), "the document is <" + std::string(root.name()) + ">, and no picture",
                  "name an SVG that 'sfg draw' wrote, or a DOT file whose nodes have pos");
    for (const pugi::xml_node group : root.children())
      if (of_class(group, "node"))
        node(group);
      else if (of_class(group, "branch"))
        branch(group);
    if (made_.nodes.empty())
      throw Error(xml_.where(root), "the picture has no node of a signal-flow graph",
                  "name an SVG that 'sfg draw' wrote of one, or a DOT file whose nodes have pos");
    return std::move(made_);
  }

 private:
  std::string value(pugi::xml_node node, const char* name) const {
    const auto passage = xml_.attribute(node, name);
    return passage ? passage->text : "";
  }

  void node(pugi::xml_node group) {
    const pugi::xml_node circle = group.child("circle");
    const std::string x = value(circle, "cx"), y = value(circle, "cy");
    std::string_view at_x = x, at_y = y;
    const auto cx = next_number(at_x), cy = next_number(at_y);
    if (cx && cy) made_.nodes[value(group, "data-node")] = {*cx, *cy};
  }

  void branch(pugi::xml_node group) {
    for (const pugi::xml_node path : group.children("path"))
      if (of_class(path, "branch"))
        made_.courses.push_back({value(group, "data-from"), value(group, "data-to"), curve(value(path, "d"))});
  }

  XmlText xml_;
  Places made_;
};

}  // namespace

Places read_svg_places(std::string_view text, std::string file) {
  const SourceText source(text, std::move(file));
  source.check_characters();
  return SvgPicture(source).places();
}

}  // namespace sfg
