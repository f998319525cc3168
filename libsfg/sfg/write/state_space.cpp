#include "sfg/write/state_space.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/study/parameters.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

/// What the matrices stand in.
std::string equations_text(bool discrete) {
  return discrete ? "x[n+1] = A x[n] + B u[n], y[n] = C x[n] + D u[n]" : "x' = A x + B u, y = C x + D u";
}

Json rows(const StateSpace::Matrix& matrix) {
  Json result = Json::array();
  for (const auto& row : matrix) {
    Json texts = Json::array();
    for (const GiNaC::ex& entry : row) texts.push_back(print(entry));
    result.push_back(std::move(texts));
  }
  return result;
}

}  // namespace

Page page(const StateSpace& model) {
  Page page{model.title, {}};
  page.add(summary({{words("states"), listed(model.states)},
                    {words("inputs"), listed(model.inputs)},
                    {words("outputs"), listed(model.outputs)}}));
  if (const auto& h = model.op.sample_time()) page.add(Paragraph{words("sample time " + h->text() + " s")});
  page.add(Heading{words(equations_text(model.op.discrete()))});
  add_matrix(page, "A", model.A);
  add_matrix(page, "B", model.B);
  add_matrix(page, "C", model.C);
  add_matrix(page, "D", model.D);
  return page;
}

void write_json(std::ostream& out, const StateSpace& model) {
  Json result{{"schema", "sfg/derive/1"}, {"form", "state-space"},  {"title", model.title},     {"variable", model.op.symbol()},
              {"states", model.states},   {"inputs", model.inputs}, {"outputs", model.outputs}, {"A", rows(model.A)},
              {"B", rows(model.B)},       {"C", rows(model.C)},     {"D", rows(model.D)}};
  if (const auto& h = model.op.sample_time()) result["sample_time"] = h->text();
  out << result.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void write_toml(std::ostream& out, const StateSpace& model) {
  write_toml_head(out, model.title, model.op.symbol());
  if (const auto& h = model.op.sample_time()) out << "sample_time = " << toml_string(h->text()) << '\n';
  out << "\n[state_space]\n";
  write_toml_list(out, "states", model.states);
  write_toml_list(out, "inputs", model.inputs);
  write_toml_list(out, "outputs", model.outputs);
  write_toml_matrix(out, "A", model.A);
  write_toml_matrix(out, "B", model.B);
  write_toml_matrix(out, "C", model.C);
  write_toml_matrix(out, "D", model.D);
  write_toml_parameters(out, model.symbols);
}

}  // namespace sfg
