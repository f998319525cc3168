#include "sfg/read/diagram/xcos_archive.hpp"

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "sfg/read/diagram/java_values.hpp"

namespace sfg {

namespace {

constexpr std::size_t deepest_super_block = 64;

/// Writes Java objects of Scilab as the elements that they are in XML.
class DictionaryElements {
 public:
  DictionaryElements(const JavaValue& dictionary, const SourceSpan& where) : dictionary_(dictionary), where_(where) {}

  /// Every element that says it is kept elsewhere.
  void put_into(pugi::xml_node root) {
    std::vector<pugi::xml_node> kept;
    struct Walker : pugi::xml_tree_walker {
      std::vector<pugi::xml_node>* kept = nullptr;
      bool for_each(pugi::xml_node& node) override {
        if (node.attribute("binary")) kept->push_back(node);
        return true;
      }
    } walker;
    walker.kept = &kept;
    root.traverse(walker);
    for (pugi::xml_node node : kept) {
      const std::size_t position = node.attribute("position").as_uint(static_cast<unsigned>(dictionary_.items.size()));
      if (position >= dictionary_.items.size()) continue;
      const JavaValue& value = *dictionary_.items[position];
      node.remove_attribute("binary");
      node.remove_attribute("position");
      if (is_list(value, "diagram"))
        diagram(node.parent(), value, 0);
      else if (std::string_view(node.attribute("as").value()) == "exprs" ||
               std::string_view(node.attribute("as").value()) == "context")
        texts(node, value);
    }
  }

 private:
  static bool is_list(const JavaValue& value, std::string_view kind) {
    const std::vector<std::string> names = field_names(value);
    return !names.empty() && names.front() == kind;
  }
  static std::vector<std::string> field_names(const JavaValue& value) {
    if (value.kind != JavaValue::Kind::object || !value.text.ends_with("List") || value.items.empty()) return {};
    return strings(*value.items.front());
  }
  const JavaValue& field(const JavaValue& value, std::string_view name) const {
    static const JavaValue nothing;
    const std::vector<std::string> names = field_names(value);
    const auto found = std::ranges::find(names, name);
    const auto index = static_cast<std::size_t>(found - names.begin());
    return found == names.end() || index >= value.items.size() ? nothing : *value.items[index];
  }

  /// The entries of a matrix, column by column.
  template <class Take>
  static void entries(const JavaValue& value, Take take) {
    if (value.kind != JavaValue::Kind::object || value.items.empty()) return;
    const std::vector<JavaValue::Pointer>& rows = value.items.front()->items;
    for (std::size_t column = 0;; ++column) {
      bool any = false;
      for (const JavaValue::Pointer& row : rows)
        if (column < row->items.size()) {
          any = true;
          take(*row->items[column]);
        }
      if (!any) return;
    }
  }
  static std::vector<std::string> strings(const JavaValue& value) {
    std::vector<std::string> found;
    if (value.text == "ScilabString") entries(value, [&](const JavaValue& entry) { found.push_back(entry.text); });
    return found;
  }
  static std::vector<long> numbers(const JavaValue& value) {
    std::vector<long> found;
    if (value.text != "ScilabString")
      entries(value, [&](const JavaValue& entry) { found.push_back(static_cast<long>(std::clamp(entry.number, -1e9, 1e9))); });
    return found;
  }

  void bound() {
    if (++elements_ > std::size_t{1'000'000})
      throw Error(where_, "the diagram has too many blocks", "take it apart into smaller ones");
  }

  void texts(pugi::xml_node node, const JavaValue& value) {
    for (const std::string& text : strings(value)) {
      bound();
      node.append_child("data").append_attribute("value") = text.c_str();
    }
  }

  void diagram(pugi::xml_node parent, const JavaValue& value, std::size_t depth) {
    if (depth > deepest_super_block)
      throw Error(where_, "super blocks are nested more than " + std::to_string(deepest_super_block) + " deep", "take it apart");
    pugi::xml_node inside = parent.append_child("SuperBlockDiagram");
    inside.append_attribute("as") = "child";
    pugi::xml_node context = inside.append_child("Array");
    context.append_attribute("as") = "context";
    texts(context, field(field(value, "props"), "context"));
    const std::string prefix = "inner" + std::to_string(++diagrams_) + ".";
    std::size_t index = 0;
    for (const JavaValue::Pointer& object : field(value, "objs").items) {
      if (object->kind == JavaValue::Kind::none) continue;
      const std::string id = prefix + std::to_string(++index);
      bound();
      if (is_list(*object, "Block"))
        block(inside, *object, id, depth);
      else if (is_list(*object, "Link"))
        link(inside, *object, prefix);
    }
  }

  void block(pugi::xml_node inside, const JavaValue& value, const std::string& id, std::size_t depth) {
    const JavaValue &graphics = field(value, "graphics"), &model = field(value, "model");
    pugi::xml_node node = inside.append_child("BasicBlock");
    node.append_attribute("id") = id.c_str();
    const std::vector<std::string> kind = strings(field(value, "gui")), label = strings(field(model, "label"));
    node.append_attribute("interfaceFunctionName") = kind.empty() ? "" : kind.front().c_str();
    if (!label.empty()) node.append_attribute("value") = label.front().c_str();
    pugi::xml_node exprs = node.append_child("ScilabString");
    exprs.append_attribute("as") = "exprs";
    texts(exprs, field(graphics, "exprs"));
    for (const auto& [list, kind_of_port] : {std::pair{"pin", "ExplicitInputPort"}, std::pair{"pout", "ExplicitOutputPort"},
                                             std::pair{"pein", "ControlPort"}, std::pair{"peout", "CommandPort"}})
      for (std::size_t i = 1; i <= numbers(field(graphics, list)).size(); ++i) {
        bound();
        pugi::xml_node port = inside.append_child(kind_of_port);
        port.append_attribute("id") = (id + "." + kind_of_port + std::to_string(i)).c_str();
        port.append_attribute("parent") = id.c_str();
        port.append_attribute("ordering") = std::to_string(i).c_str();
      }
    if (const JavaValue& inner = field(model, "rpar"); is_list(inner, "diagram")) diagram(node, inner, depth + 1);
  }

  void link(pugi::xml_node inside, const JavaValue& value, const std::string& prefix) {
    const std::vector<long> from = numbers(field(value, "from")), to = numbers(field(value, "to")),
                            kind = numbers(field(value, "ct"));
    if (from.size() < 2 || to.size() < 2) return;
    const bool event = kind.size() > 1 && kind[1] == -1, implicit = kind.size() > 1 && kind[1] == 2;
    pugi::xml_node node = inside.append_child(implicit ? "ImplicitLink" : event ? "CommandControlLink" : "ExplicitLink");
    const auto port = [&](const std::vector<long>& end, const char* name) {
      return prefix + std::to_string(end[0]) + "." + name + std::to_string(end[1]);
    };
    node.append_attribute("source") = port(from, event ? "CommandPort" : "ExplicitOutputPort").c_str();
    node.append_attribute("target") = port(to, event ? "ControlPort" : "ExplicitInputPort").c_str();
  }

  const JavaValue& dictionary_;
  const SourceSpan& where_;
  std::size_t elements_ = 0, diagrams_ = 0;
};

}  // namespace

std::string xcos_text(ZipArchive& archive, const std::string& file) {
  SourceSpan where;
  where.file = std::make_shared<const std::string>(file);
  where.line = where.column = 1;
  if (!archive.contains("content.xml"))
    throw Error(where, "the archive holds no diagram of Xcos: there is no content.xml in it", "name a file that Xcos saved");
  std::string content = archive.text("content.xml");
  pugi::xml_document document;
  // What is no XML is refused where it is read, with its place.
  if (!document.load_buffer(content.data(), content.size())) return content;
  if (archive.contains("dictionary/dictionary.ser")) {
    const JavaValue::Pointer dictionary = java_object(archive.text("dictionary/dictionary.ser"), where);
    if (!dictionary) throw Error(where, "dictionary.ser of the archive is empty", "save the diagram again");
    DictionaryElements(*dictionary, where).put_into(document);
  }
  std::ostringstream text;
  document.save(text, " ");
  if (text.str().size() > ZipArchive::most_bytes)
    throw Error(where, "the diagram is larger than " + std::to_string(ZipArchive::most_bytes >> 20) + " MiB", "take it apart");
  return text.str();
}

}  // namespace sfg
