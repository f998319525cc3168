#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/read/diagram/block_diagram.hpp"

namespace sfg {

/// A part of a Simulink model: in .mdl `Block { BlockType Gain  Name "K" … }`, in .slx `<Block BlockType="Gain" Name="K"><P …>`.
struct ModelSection {
  std::string kind;
  SourceSpan where = {};
  std::vector<std::pair<std::string, Passage>> values = {};
  std::vector<ModelSection> parts = {};

  const Passage* find(std::string_view name) const {
    for (const auto& [known, value] : values)
      if (known == name) return &value;
    return nullptr;
  }
  const ModelSection* part(std::string_view name) const {
    for (const ModelSection& each : parts)
      if (each.kind == name) return &each;
    return nullptr;
  }
};

/// The text of a .mdl file. @throws sfg::Error where it is none.
ModelSection mdl_sections(const SourceText&);
/// The parts of a .slx archive, or of a .mdl file that holds them, one behind the other: slx_text() made them.
ModelSection slx_sections(const SourceText&);
/// The XML of a .slx archive in one document; nothing where the text is neither such an archive nor a .mdl file of such parts.
std::optional<std::string> slx_text(std::string_view bytes, const std::string& file);
/// What a model holds.
BlockDiagram simulink_diagram(const ModelSection& model, Problems&);

}  // namespace sfg
