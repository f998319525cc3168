#include "sfg/write/forms/transfer.hpp"

#include <fmt/format.h>
#include <ginac/operators.h>

#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/answer.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

bool in_name(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A printed expression of the kind with the names of one of its blocks.
std::string text_in(const ClosedBlock& block, const BlockKind& kind, const std::string& text) {
  if (block.renamed.empty()) return text;
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end > at)
      made += block.name_of(kind, text.substr(at, end - at));
    else
      made += text[end++];
    at = end;
  }
  return made;
}

using Written = std::vector<std::pair<std::string, std::string>>;

std::vector<Written> texts_of_functions(const BlockTransfers& transfers) {
  std::vector<Written> all;
  for (const BlockKind& kind : transfers.kinds) {
    Written& functions = all.emplace_back();
    for (const auto& function : kind.functions) functions.emplace_back(function.name, print(function.value));
  }
  return all;
}

/// Of how many bytes the functions would be if every block had its own.
std::size_t size_of(const BlockTransfers& transfers, const std::vector<Written>& functions) {
  std::vector<std::size_t> of_kind;
  for (const Written& written : functions) {
    std::size_t& bytes = of_kind.emplace_back(0);
    for (const auto& [name, value] : written) bytes += name.size() + value.size();
  }
  std::size_t sum = 0;
  for (const ClosedBlock& block : transfers.blocks) sum += of_kind[block.kind];
  return sum;
}

/// Each block with its functions; where that would be very long, each kind of them once. As text: a million of them as values
/// need gigabytes.
std::string blocks_json(const BlockTransfers& transfers) {
  constexpr std::size_t most_bytes = std::size_t{4} << 20;
  const std::vector<Written> functions = texts_of_functions(transfers);
  const bool once = size_of(transfers, functions) > most_bytes;
  std::vector<const ClosedBlock*> written(transfers.kinds.size());
  const auto quoted = [](const std::string& text) { return Json(text).dump(); };
  std::string list = "[";
  for (const ClosedBlock& block : transfers.blocks) {
    const BlockKind& kind = transfers.kinds[block.kind];
    list += list.size() > 1 ? ",{" : "{";
    list += "\"name\":" + quoted(block.name) + ",\"of\":" + quoted(kind.of) + ",\"ports\":" + Json(block.ports).dump();
    if (once && written[block.kind]) {
      list += ",\"like\":" + quoted(written[block.kind]->name) + '}';
      continue;
    }
    written[block.kind] = &block;
    Json own = Json::array();
    for (const auto& [name, value] : functions[block.kind])
      own.push_back({block.name_of(kind, name), text_in(block, kind, value)});
    list += ",\"functions\":" + own.dump() + '}';
  }
  return list + "]";
}

std::optional<std::size_t> vertices_in_all(const BlockTransfers& transfers) {
  std::size_t count = 0;
  if (!transfers.vertices) return {};
  count += *transfers.vertices;
  for (const BlockKind& kind : transfers.kinds) {
    if (!kind.vertices) return {};
    count += *kind.vertices;
  }
  return count;
}

std::string names_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// All of them; of many the first two and the last.
std::string names_of(const std::vector<const ClosedBlock*>& blocks) {
  constexpr std::size_t most = 8;
  if (blocks.size() > most)
    return blocks[0]->name + ", " + blocks[1]->name + " … " + blocks.back()->name + " (" + std::to_string(blocks.size()) +
           " blocks)";
  std::vector<std::string> names;
  for (const ClosedBlock* block : blocks) names.push_back(block->name);
  return names_of(names);
}

void add_kind(AnswerPage& page, const SignalFlowGraph& graph, const BlockTransfers& transfers, std::size_t index) {
  const BlockKind& kind = transfers.kinds[index];
  std::vector<const ClosedBlock*> likewise;
  const ClosedBlock* first = nullptr;
  for (const ClosedBlock& block : transfers.blocks) {
    if (block.kind != index) continue;
    if (!first && block.renamed.empty())
      first = &block;
    else
      likewise.push_back(&block);
  }
  if (!first) return;
  const std::string of = kind.of == first->name ? "" : " of " + kind.of;
  page.add(Paragraph{{first->name + of + ", ports " + names_of(first->ports) + ":"}});
  Equations functions{{}, graph.op.symbol(), 1};
  for (const auto& function : kind.functions) functions.rows.push_back({Math::name(function.name), {math(function.value)}});
  page.add(std::move(functions));
  if (likewise.empty()) return;
  const char* const of_them = likewise.size() > 1 ? "their names" : "its name";
  page.add(Paragraph{{names_of(likewise) + ": the same with " + of_them + " in place of " + first->name}, 1});
}

}  // namespace

Page page(const SignalFlowGraph& graph, const BlockTransfers& transfers, Detail detail) {
  AnswerPage page(detail);
  if (!transfers.transfers.empty()) page.begin();
  for (std::size_t kind = 0; kind < transfers.kinds.size(); ++kind) add_kind(page, graph, transfers, kind);
  bool first = true;
  for (const TransferSequence& transfer : transfers.transfers) {
    if (!std::exchange(first, false)) page.begin();
    add_sequence(page, graph, transfer);
    if (const auto vertices = vertices_in_all(transfers); vertices && detail == Detail::full)
      page.remark({fmt::format("determinant diagrams: {} vertices in all, {} of them outside of the blocks", *vertices,
                               *transfers.vertices)});
    page.end(transfer.terms, transfer.verification);
  }
  if (!transfers.whole && !transfers.kinds.empty())
    page.remark(
        {fmt::format("verified: {} kind{} of blocks and the circuit around them, each for itself; the whole is too large to be "
                     "solved a second time",
                     transfers.kinds.size(), transfers.kinds.size() == 1 ? "" : "s")});
  return std::move(page).take();
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, const BlockTransfers& transfers) {
  const std::string blocks = blocks_json(transfers), frame = answers_json(graph, Json::array()).dump();
  const std::size_t inside = frame.rfind(']');
  const char* between = "";
  out << frame.substr(0, inside);
  for (const TransferSequence& transfer : transfers.transfers) {
    const std::string begin = answer_json(graph, transfer.question, "blocks").dump();
    Json json;
    add_sequence(json, transfer);
    const auto vertices = vertices_in_all(transfers);
    json["diagram_vertices"] = vertices ? Json(*vertices) : Json();
    json["verified_whole"] = transfers.whole;
    add_checks(json, transfer.terms, transfer.verification);
    out << between << begin.substr(0, begin.size() - 1) << ",\"blocks\":" << blocks << ',' << json.dump().substr(1);
    between = ",";
  }
  out << frame.substr(inside) << "\n";
}

}  // namespace sfg
