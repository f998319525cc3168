#include "sfg/read/graphml/xml_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>

#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

/// Nested deeper, pugixml is still safe; no graph is.
constexpr std::size_t deepest_element = 1000;

/// What &name; stands for; "" where it is not known.
std::string meaning_of_reference(std::string_view name) {
  if (name == "lt") return "<";
  if (name == "gt") return ">";
  if (name == "amp") return "&";
  if (name == "quot") return "\"";
  if (name == "apos") return "'";
  if (!name.starts_with('#')) return {};
  name.remove_prefix(1);
  const bool hex = name.starts_with('x');
  if (hex) name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  const bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
  if (name.empty() || error != std::errc{} || end != name.data() + name.size() || code > 0x10FFFF || surrogate || control)
    return {};
  std::string text;
  append_utf8(text, code);
  return text;
}

void check_depth(const XmlText& xml, pugi::xml_document& document) {
  struct Walker : pugi::xml_tree_walker {
    bool for_each(pugi::xml_node& node) override {
      if (depth() > static_cast<int>(deepest_element)) found = node;
      return !found;
    }
    pugi::xml_node found;
  } walker;
  document.traverse(walker);
  if (walker.found)
    throw Error(xml.where(walker.found), "elements are nested more than " + std::to_string(deepest_element) + " deep",
                "a graph needs a few levels");
}

}  // namespace

XmlText::XmlText(const SourceText& source) : source_(source), buffer_(source.text()) {
  const pugi::xml_parse_result result =
      document_.load_buffer_inplace(buffer_.data(), buffer_.size(), pugi::parse_cdata, pugi::encoding_utf8);
  if (!result) {
    const auto offset = std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), source.text().size());
    std::string message = result.description();
    if (!message.empty() && message.front() >= 'A' && message.front() <= 'Z') message.front() += 'a' - 'A';
    throw Error(source.at(offset), "not XML: " + message, "mend the file, or write it anew");
  }
  check_depth(*this, document_);
}

/// Of the name of an element, behind the bracket.
std::size_t XmlText::offset(pugi::xml_node node) {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
}

SourceSpan XmlText::where(pugi::xml_node node) const {
  const std::size_t begin = offset(node);
  return begin > 0 ? source_.at(begin - 1, std::strlen(node.name()) + 1) : source_.at(begin);
}

std::optional<Passage> XmlText::attribute(pugi::xml_node node, const char* name) const {
  const pugi::xml_attribute found = node.attribute(name);
  if (!found) return {};
  Passage value;
  append(value, found.value(), node, true);
  return value;
}

Passage XmlText::text(pugi::xml_node node) const {
  Passage text;
  for (const pugi::xml_node child : node.children())
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      append(text, child.value(), node, child.type() == pugi::node_pcdata);
  if (text.pieces.empty()) text.append("", offset(node));
  return text;
}

void XmlText::append(Passage& passage, const char* raw, pugi::xml_node node, bool references) const {
  const std::string_view text = raw;
  const std::less<const char*> before;
  const bool inside = !before(raw, buffer_.data()) && before(raw, buffer_.data() + buffer_.size());
  std::size_t source = inside ? static_cast<std::size_t>(raw - buffer_.data()) : offset(node);
  for (std::size_t i = 0; i <= text.size();) {
    const std::size_t mark = references ? std::min(text.find('&', i), text.size()) : text.size();
    passage.append(text.substr(i, mark - i), source + i);
    if (mark == text.size()) return;
    const std::size_t end = text.find(';', mark);
    const std::string meaning = end == std::string_view::npos ? "" : meaning_of_reference(text.substr(mark + 1, end - mark - 1));
    if (meaning.empty())
      throw Error(source_.at(source + mark, end == std::string_view::npos || end - mark > 40 ? 1 : end - mark + 1),
                  "the reference behind '&' is not known",
                  "write &amp; for the sign itself; entities of a document type are not read");
    passage.append(meaning, source + mark);
    i = end + 1;
  }
}

std::string_view XmlText::local_name(pugi::xml_node node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

}  // namespace sfg
