#include <algorithm>
#include <map>
#include <set>

#include "sfg/read/diagram/model_section.hpp"
#include "sfg/read/diagram/zip_archive.hpp"
#include "sfg/read/graphml/xml_text.hpp"

namespace sfg {

namespace {

/// The text without the declaration of its version: it stands within another one.
std::string_view undeclared(std::string_view xml) {
  const std::size_t begin = xml.find("<?xml");
  const std::size_t end = begin == std::string_view::npos ? begin : xml.find("?>", begin);
  return end == std::string_view::npos ? xml : xml.substr(end + 2);
}

bool is_wanted(std::string_view name) {
  return name == "simulink/blockdiagram.xml" || name == "simulink/bddefaults.xml" ||
         (name.starts_with("simulink/systems/") && name.ends_with(".xml"));
}

std::string joined(const std::map<std::string, std::string>& parts) {
  std::string text = "<parts>\n";
  for (const auto& [name, xml] : parts) text += "<part name=\"" + name + "\">\n" + std::string(undeclared(xml)) + "\n</part>\n";
  return text + "</parts>\n";
}

/// A model of MATLAB since R2021b that is saved as .mdl: the parts of a .slx file between lines that name them.
std::map<std::string, std::string> text_parts(std::string_view text) {
  constexpr std::string_view mark = "__MWOPC_PART_BEGIN__ ";
  std::map<std::string, std::string> parts;
  for (std::size_t at = text.find(mark); at != std::string_view::npos;) {
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    std::string_view name = text.substr(at + mark.size(), line_end - at - mark.size());
    while (!name.empty() && (name.back() == '\r' || name.back() == ' ')) name.remove_suffix(1);
    if (name.starts_with('/')) name.remove_prefix(1);
    const std::size_t following = text.find(mark, line_end);
    if (is_wanted(name)) parts[std::string(name)] = text.substr(line_end, std::min(following, text.size()) - line_end);
    at = following;
  }
  return parts;
}

class SlxReading {
 public:
  explicit SlxReading(const SourceText& source) : xml_(source) {
    for (const pugi::xml_node part : xml_.root().children("part")) parts_[part.attribute("name").value()] = part;
  }

  ModelSection model() {
    ModelSection all;
    all.where = xml_.where(xml_.root());
    for (const auto& [name, part] : parts_)
      if (!name.starts_with("simulink/systems/"))
        for (const pugi::xml_node child : part.children()) all.parts.push_back(section(child, 0));
    // The document is <ModelInformation><Model>, or <Library>; its parts are those of a .mdl file.
    for (std::size_t i = 0; i < all.parts.size(); ++i)
      if (all.parts[i].kind == "ModelInformation") {
        std::vector<ModelSection> inner = std::move(all.parts[i].parts);
        for (ModelSection& each : inner) all.parts.push_back(std::move(each));
      }
    return all;
  }

 private:
  ModelSection section(pugi::xml_node node, std::size_t depth) {
    ModelSection made{std::string(XmlText::local_name(node)), xml_.where(node), {}, {}};
    if (depth > 4 * deepest_subsystem)
      throw Error(made.where, "subsystems are nested more than " + std::to_string(deepest_subsystem) + " deep",
                  "take them apart");
    for (const pugi::xml_attribute attribute : node.attributes())
      if (auto value = xml_.attribute(node, attribute.name())) made.values.emplace_back(attribute.name(), std::move(*value));
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string_view name = XmlText::local_name(child);
      if (name == "P") {
        if (auto key = xml_.attribute(child, "Name")) made.values.emplace_back(key->text, xml_.text(child));
      } else if (name == "System" && child.attribute("Ref")) {
        made.parts.push_back(referred(child, depth));
      } else if (name != "Object" && name != "Array") {
        made.parts.push_back(section(child, depth + 1));
        if (child.first_child() && child.first_child() == child.last_child() && child.first_child().type() == pugi::node_pcdata)
          made.values.emplace_back(std::string(name), xml_.text(child));  // <Value>5</Value> of a mask
      }
    }
    return made;
  }

  ModelSection referred(pugi::xml_node node, std::size_t depth) {
    const std::string name = node.attribute("Ref").value(), whole = "simulink/systems/" + name + ".xml";
    const auto part = parts_.find(whole);
    if (part == parts_.end() || !part->second.child("System"))
      throw Error(xml_.where(node), "the system " + in_quotes(name) + " is not in the archive", "save the model again");
    if (!used_.insert(name).second)
      throw Error(xml_.where(node), "the system " + in_quotes(name) + " stands in two places", "save the model again");
    return section(part->second.child("System"), depth + 1);
  }

  XmlText xml_;
  std::map<std::string, pugi::xml_node> parts_;
  std::set<std::string> used_;
};

}  // namespace

std::optional<std::string> slx_text(std::string_view bytes, const std::string& file) {
  if (ZipArchive::is_archive(bytes)) {
    ZipArchive archive(bytes, file);
    std::map<std::string, std::string> parts;
    for (const std::string& name : archive.names())
      if (is_wanted(name)) parts[name] = archive.text(name);
    if (!parts.contains("simulink/blockdiagram.xml")) {
      SourceSpan where;
      where.file = std::make_shared<const std::string>(file);
      where.line = where.column = 1;
      throw Error(where, "the archive holds no model of Simulink: there is no simulink/blockdiagram.xml in it",
                  "name a file that Simulink saved as .slx");
    }
    return joined(parts);
  }
  if (bytes.starts_with("# MathWorks OPC Text Package")) return joined(text_parts(bytes));
  return {};
}

ModelSection slx_sections(const SourceText& source) { return SlxReading(source).model(); }

}  // namespace sfg
