#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace sfg {

// Text that comes from anywhere, made safe for the places it is written to. Every writer uses these.

/// Bytes of the well-formed UTF-8 character at the front of the text; 0 when there is none.
std::size_t utf8_length(std::string_view);
/// Any bytes as UTF-8: what is not becomes U+FFFD.
std::string valid_utf8(std::string_view);
/// A string literal with its quotes, in the grammar of each target; any bytes may come in.
std::string json_string(std::string_view);
std::string toml_string(std::string_view);
/// A key of TOML: bare where the grammar allows it.
std::string toml_key(std::string_view);
/// Text or attribute value of XML: markup escaped, characters that XML has no place for removed.
std::string xml_text(std::string_view);
/// An identifier or value of DOT that means something to us: a backslash is written twice.
std::string dot_string(std::string_view);
/// A name of DOT: bare where it is a plain identifier.
std::string dot_name(std::string_view);
/// Angle brackets that open at the front and close at the very end: what DOT reads as one HTML string.
bool is_dot_html(std::string_view);
/// Name and value of an attribute that was only kept, as Graphviz wrote it: backslashes stay single where they can. A value
/// in balanced angle brackets is an HTML string.
std::string dot_kept_name(std::string_view);
std::string dot_kept_value(std::string_view);

}  // namespace sfg
