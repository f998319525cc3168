#pragma once
#include <vector>

#include "sfg/read/source_text.hpp"

namespace sfg {

/// A node of a YAML document and its place. Every scalar is text.
struct YamlValue {
  struct Entry;  ///< a key, which is a scalar, and its value
  enum class Kind { scalar, sequence, mapping };
  Kind kind = Kind::scalar;
  std::size_t begin = 0, end = 0;  ///< offsets in the file
  Passage text;                    ///< of a scalar
  std::vector<YamlValue> items;
  std::vector<Entry> entries;  ///< of a mapping
};
struct YamlValue::Entry {
  YamlValue key, value;
};

/// The one document of the text, by libyaml.
/// @throws sfg::Error where the text is no YAML, or has what StrictYAML has not: anchors, aliases, tags, a key twice, a second
/// document; also where it is nested too deep.
YamlValue yaml_values(const SourceText&);

}  // namespace sfg
