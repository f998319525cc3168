#include "sfg/read/diagram/xcos_diagram.hpp"

#include <algorithm>
#include <pugixml.hpp>

#include "sfg/read/graphml/xml_text.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

/// The interface function of a block: stated, or that of its kind of element, or its style begins with it. "" of what is no
/// block.
std::string function_of(pugi::xml_node node) {
  static const std::map<std::string_view, const char*> usual{
      {"SplitBlock", "SPLIT_f"},    {"ExplicitInBlock", "IN_f"},     {"ExplicitOutBlock", "OUT_f"},
      {"SuperBlock", "SUPER_f"},    {"ImplicitInBlock", "INIMPL_f"}, {"ImplicitOutBlock", "OUTIMPL_f"},
      {"EventInBlock", "CLKINV_f"}, {"EventOutBlock", "CLKOUTV_f"},  {"TextBlock", "TEXT_f"}};
  if (const char* stated = node.attribute("interfaceFunctionName").value(); *stated != '\0') return stated;
  const std::string_view name = node.name();
  if (const auto known = usual.find(name); known != usual.end()) return known->second;
  const std::string style = node.attribute("style").value();
  return name.ends_with("Block") ? style.substr(0, style.find(';')) : "";
}

/// Whether a block is called so: what else stands there is its picture ("+", "1/s", "s", HTML, formulas).
bool is_label(std::string_view text) {
  return !text.empty() && is_ascii_letter(text.front()) && text != "s" &&
         text.find_first_of("<$\\()[]=;") == std::string_view::npos;
}

/// One level of a diagram: its elements, wherever they stand in it. An element may stand in the first one that refers to it.
class XcosLevel {
 public:
  XcosLevel(const XmlText& xml, Problems& problems, std::string path, std::size_t depth)
      : xml_(xml), problems_(problems), path_(std::move(path)), depth_(depth) {}

  BlockDiagram diagram(pugi::xml_node root) {
    if (depth_ > deepest_subsystem)
      throw Error(xml_.where(root), "super blocks are nested more than " + std::to_string(deepest_subsystem) + " deep",
                  "take them apart");
    collect(root);
    name_blocks();
    for (const pugi::xml_node port : ports_) place_port(port);
    for (const pugi::xml_node link : links_) line(link);
    return std::move(made_);
  }

 private:
  struct PortPlace {
    std::size_t block = 0, port = 0;
    bool output = false;
  };

  void collect(pugi::xml_node node) {
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string_view name = child.name();
      if (name == "SuperBlockDiagram") continue;
      if (name == "Array" && std::string_view(child.attribute("as").value()) == "context") context(child);
      if (std::string function = function_of(child); !function.empty())
        block(child, std::move(function));
      else if (name.ends_with("Port") && child.attribute("parent"))
        ports_.push_back(child);
      else if (name.ends_with("Link"))
        links_.push_back(child);
      if (const char* label = child.attribute("value").value(); name == "mxCell" && *label != '\0')
        labels_[child.attribute("id").value()] = label;
      if (child.first_child()) collect(child);
    }
  }

  void context(pugi::xml_node array) {
    for (const pugi::xml_node line : array.children())
      if (auto text = xml_.attribute(line, "value")) made_.statements.push_back(std::move(*text));
  }

  void block(pugi::xml_node node, std::string function) {
    if (!index_.emplace(node.attribute("id").value(), made_.blocks.size()).second) return;
    DiagramBlock block;
    block.type = std::move(function);
    block.where = xml_.where(node);
    std::size_t number = 0;
    for (const pugi::xml_node child : node.children())
      if (std::string_view(child.attribute("as").value()) == "exprs")
        for (const pugi::xml_node entry : child.children())
          if (auto text = xml_.attribute(entry, "value")) block.parameters.emplace(std::to_string(++number), std::move(*text));
    made_.blocks.push_back(std::move(block));
    nodes_.push_back(node);
    if (problems_.full()) problems_.finish(nullptr);
  }

  /// Its label, else what it is with a number where there are several.
  void name_blocks() {
    std::map<std::string, std::size_t> count, seen;
    for (std::size_t i = 0; i < made_.blocks.size(); ++i) {
      const std::string id = nodes_[i].attribute("id").value();
      const auto beneath = labels_.find(id + "#identifier");
      std::string label = beneath == labels_.end() ? "" : block_name(beneath->second);
      if (!is_label(label)) label = block_name(nodes_[i].attribute("value").value());
      if (!is_label(label) || label == made_.blocks[i].type) label.clear();
      made_.blocks[i].name = label;
      if (label.empty()) ++count[made_.blocks[i].type];
    }
    for (std::size_t i = 0; i < made_.blocks.size(); ++i) {
      DiagramBlock& block = made_.blocks[i];
      if (block.name.empty()) block.name = block.type + (count[block.type] > 1 ? std::to_string(++seen[block.type]) : "");
      block.path = block_path(path_, block.name);
      if (const pugi::xml_node inside = nodes_[i].child("SuperBlockDiagram"))
        block.inside = std::make_unique<BlockDiagram>(XcosLevel(xml_, problems_, block.path, depth_ + 1).diagram(inside));
    }
  }

  static std::size_t number_of(pugi::xml_node port) { return port.attribute("ordering").as_uint(0); }

  void place_port(pugi::xml_node node) {
    const auto owner = index_.find(node.attribute("parent").value());
    const std::size_t number = number_of(node);
    if (owner == index_.end() || number == 0 || number > 10'000) return;
    const std::string_view kind = node.name();
    const bool output = kind.find("Output") != std::string_view::npos || kind.starts_with("Command");
    if (!placed_.emplace(node.attribute("id").value(), PortPlace{owner->second, number - 1, output}).second) return;
    if (kind.starts_with("Command") || kind.starts_with("Control")) return;
    std::size_t& most = output ? made_.blocks[owner->second].outputs : made_.blocks[owner->second].inputs;
    most = std::max(most, number);
  }

  std::string end(pugi::xml_node link, const char* which) const {
    if (const pugi::xml_attribute stated = link.attribute(which)) return stated.value();
    for (const pugi::xml_node child : link.children())
      if (std::string_view(child.attribute("as").value()) == which)
        return child.attribute("reference") ? child.attribute("reference").value() : child.attribute("id").value();
    return {};
  }

  void line(pugi::xml_node link) {
    auto from = placed_.find(end(link, "source")), to = placed_.find(end(link, "target"));
    if (from == placed_.end() || to == placed_.end()) return;  // an end that hangs in the air
    const std::string_view kind = link.name();
    if (kind != "ExplicitLink" && kind != "CommandControlLink") return;  // between blocks of Modelica, which are refused
    if (!from->second.output) std::swap(from, to);
    (kind == "ExplicitLink" ? made_.lines : made_.events)
        .push_back({from->second.block, from->second.port, to->second.block, to->second.port});
  }

  const XmlText& xml_;
  Problems& problems_;
  std::string path_;
  std::size_t depth_;
  BlockDiagram made_;
  std::vector<pugi::xml_node> nodes_, ports_, links_;
  std::map<std::string, std::size_t> index_;
  std::map<std::string, std::string> labels_;
  std::map<std::string, PortPlace> placed_;
};

}  // namespace

BlockDiagram xcos_diagram(const SourceText& source, Problems& problems) {
  const XmlText xml(source);
  const pugi::xml_node root = xml.root();
  if (std::string_view(root.name()) != "XcosDiagram")
    throw Error(xml.where(root), "the document is <" + std::string(root.name()) + ">, and no <XcosDiagram>",
                "name a file that Xcos saved");
  BlockDiagram made = XcosLevel(xml, problems, "", 0).diagram(root);
  if (const auto title = xml.attribute(root, "title")) made.title = title->text;
  return made;
}

}  // namespace sfg
