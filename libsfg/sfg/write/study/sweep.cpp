#include "sfg/write/study/sweep.hpp"

#include <ostream>
#include <sstream>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"

namespace sfg {

using json::Json;

namespace {

std::istringstream answer_of(const WriteSet& write, std::size_t set) {
  std::ostringstream out;
  write(out, set);
  return std::istringstream(out.str());
}

/// Inside of what precedes it.
Page deeper(Page page) {
  for (Block& block : page.blocks)
    std::visit(
        [](auto& each) {
          if constexpr (requires { each.depth; }) ++each.depth;
        },
        block);
  return page;
}

}  // namespace

Page page(const Sweep& sweep, const std::function<Page(std::size_t set)>& of_set) {
  if (sweep.empty()) return of_set(0);
  Page page;
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    if (i > 0) page.add(Gap{});
    page.add(Paragraph{words("for " + sweep[i].text(" = ") + ":")});
    page.add(deeper(of_set(i)));
  }
  return page;
}

void write_json(std::ostream& out, const Sweep& sweep, const WriteSet& write) {
  if (sweep.empty()) return write(out, 0);
  Json whole, sets = Json::array();
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    const Json answer = Json::parse(answer_of(write, i));
    Json entry{{"set", Json::object()}};
    for (const SweepSet::Value& value : sweep[i].values) entry["set"][value.name] = value.value.to_double();
    for (const auto& [key, value] : answer.items())
      if (key == "schema")
        whole[key] = value;
      else
        entry[key] = value;
    sets.push_back(std::move(entry));
  }
  whole["sweep"] = std::move(sets);
  out << whole.dump() << '\n';
}

void write_csv(std::ostream& out, const Sweep& sweep, const WriteSet& write) {
  if (sweep.empty()) return write(out, 0);
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    std::istringstream answer = answer_of(write, i);
    std::string line;
    std::getline(answer, line);
    if (i == 0) {
      for (const SweptParameter& parameter : sweep.parameters()) out << '"' << parameter.name << "\",";
      out << line << '\n';
    }
    std::string values;
    for (const SweepSet::Value& value : sweep[i].values) values += print(value.value.to_double()) + ",";
    while (std::getline(answer, line)) out << values << line << '\n';
  }
}

}  // namespace sfg
