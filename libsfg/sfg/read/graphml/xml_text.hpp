#pragma once
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "sfg/read/source_text.hpp"

namespace sfg {

/// The elements of an XML document, by pugixml, whose texts know where each of their bytes was. Document types are passed over:
/// no entity is known but those of XML itself, and nothing is fetched.
class XmlText {
 public:
  /// @throws sfg::Error where the text is no well-formed XML.
  explicit XmlText(const SourceText&);

  pugi::xml_node root() const { return document_.document_element(); }
  SourceSpan where(pugi::xml_node) const;
  /// The value of an attribute, references resolved.
  std::optional<Passage> attribute(pugi::xml_node, const char* name) const;
  /// The characters directly in an element.
  Passage text(pugi::xml_node) const;
  /// Without the prefix of its namespace.
  static std::string_view local_name(pugi::xml_node);

 private:
  void append(Passage&, const char* raw, pugi::xml_node, bool references) const;
  static std::size_t offset(pugi::xml_node);

  const SourceText& source_;
  std::string buffer_;  ///< the text, in which pugixml leaves its strings where they stood
  pugi::xml_document document_;
};

}  // namespace sfg
