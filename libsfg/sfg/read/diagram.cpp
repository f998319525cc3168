#include "sfg/read/diagram.hpp"

#include "sfg/read/diagram/diagram_graph.hpp"
#include "sfg/read/diagram/model_section.hpp"
#include "sfg/read/diagram/xcos_archive.hpp"
#include "sfg/read/diagram/xcos_diagram.hpp"

namespace sfg {

namespace {

/// @param read  makes a diagram of the text.
template <class Read>
SignalFlowGraph graph_of_diagram(std::string_view text, const std::string& file, std::vector<Diagnostic>* notes,
                                 ValueLanguage language, BlockVocabulary vocabulary, Read read) {
  const SourceText source(text, file);
  Problems problems;
  problems.attempt([&] { source.check_characters(); });
  if (problems.any_errors()) problems.finish(nullptr);
  SignalFlowGraph graph;
  problems.attempt([&] {
    const BlockDiagram diagram = read(source, problems);
    if (!problems.any_errors()) graph = diagram_graph(diagram, source, language, vocabulary, problems);
  });
  problems.finish(notes);
  return graph;
}

}  // namespace

SignalFlowGraph read_simulink(std::string_view bytes, std::string file, std::vector<Diagnostic>* notes) {
  const std::optional<std::string> parts = slx_text(bytes, file);
  return graph_of_diagram(parts ? *parts : bytes, file, notes, ValueLanguage::matlab, simulink_meaning,
                          [&](const SourceText& source, Problems& problems) {
                            return simulink_diagram(parts ? slx_sections(source) : mdl_sections(source), problems);
                          });
}

SignalFlowGraph read_xcos(std::string_view bytes, std::string file, std::vector<Diagnostic>* notes) {
  std::string unpacked;
  if (ZipArchive::is_archive(bytes)) {
    ZipArchive archive(bytes, file);
    unpacked = xcos_text(archive, file);
    bytes = unpacked;
  }
  return graph_of_diagram(bytes, file, notes, ValueLanguage::scilab, xcos_meaning, xcos_diagram);
}

}  // namespace sfg
