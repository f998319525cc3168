#include "sfg/write/forms/transfer.hpp"

#include <ostream>

#include "sfg/expr/condition.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/write/answer.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
using Factor = FactoredTransfer::Factor;

/// One side of the fraction; 1 when it has no factor.
std::vector<Math> side(const exact::Rational& number, std::int64_t power, const std::string& variable,
                       const std::vector<Factor>& factors) {
  std::vector<Math> list;
  const auto add = [&](Math base, std::uint64_t exponent) {
    list.push_back(exponent == 1 ? std::move(base) : Math::power(std::move(base), Math::number(std::to_string(exponent))));
  };
  if (number != 1) add(Math::number(number.text()), 1);
  if (power > 0) add(Math::name(variable), static_cast<std::uint64_t>(power));
  for (const Factor& factor : factors) add(math(factor.polynomial), factor.multiplicity);
  return list;
}

struct Parts {
  Math above, below;  ///< `below` is 1 where there is no denominator
  bool negative = false;

  Math whole() const {
    Math value = simple_quotient(above, below);
    return negative ? Math::negative(std::move(value)) : value;
  }
};

Parts fraction_parts(const FactoredTransfer& transfer) {
  const auto product = [](std::vector<Math> factors) {
    return factors.empty() ? Math::number("1") : Math::product(std::move(factors));
  };
  return {product(side(transfer.gain.numerator().abs(), transfer.power, transfer.variable, transfer.above)),
          product(side(transfer.gain.denominator(), -transfer.power, transfer.variable, transfer.below)),
          transfer.gain.sign() < 0};
}

void add_meaning(AnswerPage& page, const Factor& factor) {
  const std::string main = factor.polynomial.context()->variables()[0];
  const auto is = [&](const char* name, const GiNaC::ex& value) { return Math::equation(Math::name(name), math(value, main)); };
  const auto add = [&](Prose& text, Prose more) { text.insert(text.end(), more.begin(), more.end()); };
  Prose text{math(factor.polynomial), ": "};
  const std::optional<GiNaC::ex>* positive = nullptr;
  if (factor.first) {
    add(text, {"time constant ", math(factor.first->time_constant, main), ", corner ", math(factor.first->corner, main)});
  } else if (factor.second) {
    add(text, {is("omega_n", factor.second->frequency), ", ", is("zeta", factor.second->damping), ", "});
    text.emplace_back(factor.second->quality ? is("Q", *factor.second->quality) : words("no damping").front());
    positive = &factor.second->positive;
  } else if (factor.pair) {
    add(text, {"a pair of radius ", math(factor.pair->radius, main), " and angle ", math(factor.pair->angle, main)});
    positive = &factor.pair->positive;
  } else if (factor.roots.size() == 1) {
    add(text, {"root ", math(factor.roots.front(), main)});
  } else if (factor.roots.size() == 2) {
    add(text, {"real roots ", math(factor.roots[0], main), " and ", math(factor.roots[1], main)});
  } else {
    return;
  }
  if (positive && *positive) add(text, {", where ", positive_condition(**positive)});
  page.remark(std::move(text));
}

Json factor_json(const Factor& factor) {
  const std::string main = factor.polynomial.context()->variables()[0];
  const auto text = [&](const GiNaC::ex& e) { return print(e, Notation::text, main); };
  const auto where = [](Json& json, const std::optional<GiNaC::ex>& positive) {
    if (positive) json["condition"] = write(positive_condition(*positive), Notation::text);
  };
  Json json{{"factor", print(factor.polynomial)}, {"multiplicity", factor.multiplicity}, {"order", factor.order}};
  if (factor.first) {
    json["time_constant"] = text(factor.first->time_constant);
    json["corner"] = text(factor.first->corner);
  }
  if (factor.second) {
    json["omega_n"] = text(factor.second->frequency);
    json["zeta"] = text(factor.second->damping);
    json["Q"] = factor.second->quality ? Json(text(*factor.second->quality)) : Json(nullptr);
    where(json, factor.second->positive);
  }
  if (factor.pair) {
    json["radius"] = text(factor.pair->radius);
    json["angle"] = text(factor.pair->angle);
    where(json, factor.pair->positive);
  }
  for (const GiNaC::ex& root : factor.roots) json["roots"].push_back(text(root));
  return json;
}

Json factors_json(const std::vector<Factor>& factors) {
  Json list = Json::array();
  for (const Factor& factor : factors) list.push_back(factor_json(factor));
  return list;
}

/// A factor is a factor by its brackets.
std::string factors_text(const Math& factors) {
  const std::string text = write(factors, Notation::text);
  return factors.kind == Math::Kind::sum ? "(" + text + ")" : text;
}

Json json_of_factored(const SignalFlowGraph& graph, const FactoredTransfer& factored, const TransferFunction& transfer) {
  Json json = answer_json(graph, factored.question, "factored");
  const Parts value = fraction_parts(factored);
  json["expression"] = write(value.whole(), Notation::text);
  json["numerator"] = (value.negative ? "-" : "") + factors_text(value.above);
  json["denominator"] = factors_text(value.below);
  json["gain"] = factored.gain.text();
  json["power"] = factored.power;
  json["factors"] = {{"numerator", factors_json(factored.above)}, {"denominator", factors_json(factored.below)}};
  json["dc_gain"] = factored.dc_gain ? Json(print(*factored.dc_gain, Notation::text, factored.variable)) : Json(nullptr);
  if (factored.dead_time) json["dead_time"] = print(*factored.dead_time);
  if (!factored.taken_as_positive.empty()) json["taken_as_positive"] = factored.taken_as_positive;
  json["cancelled"] = print(transfer.cancelled);
  add_checks(json, transfer.terms, transfer.verification);
  return json;
}

}  // namespace

Page page(const SignalFlowGraph& graph, std::span<const FactoredTransfer> all, std::span<const TransferFunction> transfers,
          Detail detail) {
  AnswerPage page(detail);
  for (std::size_t i = 0; i < all.size(); ++i) {
    page.begin();
    const FactoredTransfer& factored = all[i];
    page.equation(graph, factored.question, fraction_parts(factored).whole());
    for (const auto* factors : {&factored.above, &factored.below})
      for (const Factor& factor : *factors) add_meaning(page, factor);
    Prose at_rest{"at ", Math::equation(Math::name(factored.variable), Math::number(std::to_string(factored.at_rest))), ": "};
    if (factored.dc_gain)
      at_rest.emplace_back(math(*factored.dc_gain, factored.variable));
    else
      at_rest.emplace_back("infinite, a pole of order " + std::to_string(factored.pole_at_rest));
    page.remark(std::move(at_rest));
    if (!factored.taken_as_positive.empty())
      page.remark(joined({words("taken as positive: "), listed(factored.taken_as_positive)}, ""));
    if (factored.dead_time) page.remark({"dead time: ", math(*factored.dead_time)});
    if (!transfers[i].cancelled.is_one()) page.remark({"cancelled: ", math(transfers[i].cancelled)});
    page.end(transfers[i].terms, transfers[i].verification);
  }
  return std::move(page).take();
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const FactoredTransfer> all,
                std::span<const TransferFunction> transfers) {
  Json list = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) list.push_back(json_of_factored(graph, all[i], transfers[i]));
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
