#include "sfg/write/motion/motion_parts.hpp"

#include <set>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

using GiNaC::ex;

std::vector<std::string> occurring_parameters(const EquationsOfMotion& motion) {
  std::set<std::string> used;
  const auto use = [&](const ex& value) {
    for (std::string& name : symbol_names(value)) used.insert(std::move(name));
  };
  for (const auto& row : motion.M)
    for (const ex& entry : row) use(entry);
  for (const ex& force : motion.F) use(force);
  for (const auto& definition : motion.definitions) use(definition.value);
  for (const auto& constraint : motion.constraints) {
    use(constraint.stated());
    for (const ex& entry : constraint.row) use(entry);
  }
  std::vector<std::string> result;
  for (const Symbol& symbol : motion.symbols.all())
    if (symbol.kind == SymbolKind::parameter && used.contains(symbol.name)) result.push_back(symbol.name);
  return result;
}

void add_definitions(Page& page, const EquationsOfMotion& motion, const std::string& heading) {
  if (motion.definitions.empty()) return;
  page.add(Heading{words(heading)});
  Equations list{{}, {}, 1, true};
  for (const auto& definition : motion.definitions) list.rows.push_back({math(definition.symbol), {math(definition.value)}});
  page.add(std::move(list));
}

nlohmann::ordered_json json::texts(const std::vector<ex>& column) {
  auto list = nlohmann::ordered_json::array();
  for (const ex& entry : column) list.push_back(print(entry));
  return list;
}

nlohmann::ordered_json json::texts(const EquationsOfMotion::Matrix& matrix) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& row : matrix) rows.push_back(texts(row));
  return rows;
}

}  // namespace sfg
