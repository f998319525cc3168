#include "sfg/write/study/fit.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace sfg {

namespace {

const char* words_for(const IdentifiableParameter& parameter) {
  if (!parameter.influence) return "without influence";
  switch (parameter.found) {
    case Identifiability::unique: return "found: one value";
    case Identifiability::locally: return "several values, finitely many";
    case Identifiability::finite: return "finitely many values; whether more than one was not decided";
    case Identifiability::never: break;
  }
  return "not found by itself";
}

/// The names with commas between.
Prose names_in(const std::vector<std::string>& names) {
  std::vector<Prose> parts;
  for (const std::string& name : names) parts.push_back({Math::name(name)});
  return joined(parts, ", ");
}

Paragraph paragraph(std::string before, Prose middle, std::string after = "") {
  Prose text{std::move(before)};
  text.insert(text.end(), middle.begin(), middle.end());
  if (!after.empty()) text.emplace_back(std::move(after));
  return {std::move(text)};
}

/// Of which functions the table is: by name while they stand in a line.
std::string source_of(const std::vector<std::string>& transfers) {
  if (transfers.empty()) return "from the transfer functions";
  std::string list;
  for (const std::string& transfer : transfers) list += (list.empty() ? "" : ", ") + transfer;
  return list.size() <= 50 ? "from " + list : "from " + std::to_string(transfers.size()) + " transfer functions";
}

/// A parameter by itself.
bool is_alone(const RationalFunction& f, const std::vector<IdentifiableParameter>& parameters) {
  const std::string text = f.text();
  return std::ranges::any_of(parameters, [&](const auto& p) { return p.name == text; });
}

void add_list(Page& page, const std::vector<const RationalFunction*>& functions) {
  Equations list;
  for (const RationalFunction* f : functions) list.rows.push_back({{}, {math(f->expression())}});
  list.depth = 1;
  page.add(std::move(list));
}

/// The combinations of what has many values apart from those of what has several.
void add_combinations(Page& page, const Identifiable& found) {
  std::vector<std::string> open, several;
  for (const IdentifiableParameter& p : found.parameters) {
    if (p.influence && p.found == Identifiability::never) open.push_back(p.name);
    if (p.found == Identifiability::locally) several.push_back(p.name);
  }
  std::vector<const RationalFunction*> of_open, of_several;
  for (const RationalFunction& f : found.combinations) {
    if (is_alone(f, found.parameters)) continue;
    const std::vector<std::string> names = symbol_names(f.expression());
    const bool is_open =
        std::ranges::any_of(names, [&](const auto& name) { return std::ranges::find(open, name) != open.end(); });
    (is_open ? of_open : of_several).push_back(&f);
  }
  if (!of_several.empty()) {
    page.add(paragraph("of ", names_in(several), " one value has:"));
    add_list(page, of_several);
  }
  if (!of_open.empty()) {
    page.add(paragraph("", names_in(open), open.size() == 1 ? " only in:" : " only together, as:"));
    add_list(page, of_open);
  }
}

}  // namespace

Page page(const Identifiable& found, const IdentifiableHeading& heading) {
  Page page;
  if (found.parameters.empty()) {
    page.add(Paragraph{words("no parameter is unknown")});
    return page;
  }
  Table table{{{words("parameter"), false, 12}, {words(source_of(heading.transfers)), false, 0}}, {}, 1};
  for (const IdentifiableParameter& p : found.parameters) table.rows.push_back({{Math::name(p.name)}, words(words_for(p))});
  page.add(std::move(table));
  if (!heading.known.empty()) page.add(paragraph("known: ", names_in(heading.known)));
  add_combinations(page, found);
  const auto count = std::to_string(found.degrees_of_freedom);
  page.add(
      Paragraph{words(found.degrees_of_freedom == 0   ? "degrees of freedom: 0; no parameter can be chosen at will"
                      : found.degrees_of_freedom == 1 ? "degrees of freedom: 1; state one of the parameters that are not found"
                                                      : "degrees of freedom: " + count +
                                                            "; state as many of the parameters "
                                                            "that are not found")});
  for (const std::string& note : found.notes) page.add(Paragraph{words("note: " + note)});
  return page;
}

void write_json(std::ostream& out, const Identifiable& found, const IdentifiableHeading& heading) {
  using Json = nlohmann::ordered_json;
  Json parameters = Json::array(), combinations = Json::array();
  for (const IdentifiableParameter& p : found.parameters) {
    Json one{{"name", p.name}};
    switch (p.found) {
      case Identifiability::unique: one["identifiable"] = true; break;
      case Identifiability::never: one["identifiable"] = false; break;
      case Identifiability::locally:
      case Identifiability::finite: one["identifiable"] = "locally"; break;
    }
    one["influence"] = p.influence;
    parameters.push_back(std::move(one));
  }
  for (const RationalFunction& f : found.combinations) combinations.push_back(f.text());
  out << Json{{"schema", "sfg/identifiable/1"},
              {"transfers", heading.transfers},
              {"known", heading.known},
              {"parameters", std::move(parameters)},
              {"combinations", std::move(combinations)},
              {"generate", found.generate},
              {"degrees_of_freedom", found.degrees_of_freedom},
              {"notes", found.notes}}
             .dump()
      << '\n';
}

}  // namespace sfg
