#include "sfg/write/factored.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

#include "sfg/write/answer.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
using Factor = FactoredTransfer::Factor;

std::string power_text(std::uint64_t exponent, Notation notation) {
  const std::string digits = std::to_string(exponent);
  if (notation == Notation::latex) return "^{" + digits + "}";
  if (notation != Notation::unicode) return "^" + digits;
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char digit : digits) text += raised[digit - '0'];
  return text;
}

/// Factors of one side as text, in brackets where they are sums.
class Side {
 public:
  Side(Notation notation) : notation_(notation), latex_(notation == Notation::latex) {}

  void add(std::string text, std::uint64_t exponent, bool sum) {
    if (sum) text = latex_ ? "\\left(" + text + "\\right)" : "(" + text + ")";
    if (exponent != 1) text += power_text(exponent, notation_);
    factors_.push_back(std::move(text));
  }
  void add(const Factor& factor, bool alone) {
    const bool sum = factor.polynomial.term_count() > 1 && !(alone && factor.multiplicity == 1);
    add(print(factor.polynomial, notation_), factor.multiplicity, sum);
  }
  std::size_t count() const { return factors_.size(); }
  std::string text() const {
    const char* const times = latex_ ? " " : notation_ == Notation::unicode ? "·" : "*";
    std::string text;
    for (const std::string& factor : factors_) text += (text.empty() ? "" : times) + factor;
    return text;
  }

 private:
  Notation notation_;
  bool latex_;
  std::vector<std::string> factors_;
};

struct Parts {
  std::string sign, above, below, line;
};

Parts parts(const FactoredTransfer& transfer, Notation notation) {
  const bool negative = transfer.gain.sign() < 0;
  const std::string over = transfer.gain.numerator().abs().text(), under = transfer.gain.denominator().text();
  Side above(notation), below(notation);
  const auto fill = [&](Side& side, const std::string& number, std::int64_t power, const std::vector<Factor>& factors,
                        bool signed_side) {
    if (number != "1") side.add(number, 1, false);
    if (power > 0) side.add(print_name(transfer.variable, notation), static_cast<std::uint64_t>(power), false);
    const bool alone = side.count() == 0 && factors.size() == 1 && !signed_side;
    for (const Factor& factor : factors) side.add(factor, alone && notation == Notation::latex);
  };
  fill(above, over, transfer.power, transfer.above, negative);
  fill(below, under, -transfer.power, transfer.below, false);
  Parts result{!negative                       ? ""
               : notation == Notation::unicode ? "−"
                                               : "-",
               above.count() == 0 ? "1" : above.text(),
               below.text(),
               {}};
  result.above = result.sign + result.above;
  result.line =
      below.count() == 0 ? result.above : result.above + "/" + (below.count() == 1 ? result.below : "(" + result.below + ")");
  return result;
}

void write_meaning(std::ostream& out, const Factor& factor, Notation notation) {
  const Notation plain = notation == Notation::latex ? Notation::text : notation;
  const std::string main = factor.polynomial.context()->variables()[0];
  const auto text = [&](const GiNaC::ex& e) { return print(e, plain, main); };
  const std::string name = print(factor.polynomial, plain);
  if (factor.first)
    fmt::print(out, "{}{}: time constant {}, corner {}\n", remark(notation), name, text(factor.first->time_constant),
               text(factor.first->corner));
  if (factor.second)
    fmt::print(out, "{}{}: {} = {}, {} = {}{}\n", remark(notation), name, print_name("omega_n", plain),
               text(factor.second->frequency), print_name("zeta", plain), text(factor.second->damping),
               factor.second->quality ? ", Q = " + text(*factor.second->quality) : ", no damping");
}

std::string joined_names(const std::vector<std::string>& names, Notation notation) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + print_name(name, notation);
  return text;
}

Json factor_json(const Factor& factor) {
  const std::string main = factor.polynomial.context()->variables()[0];
  const auto text = [&](const GiNaC::ex& e) { return print(e, Notation::text, main); };
  Json json{{"factor", print(factor.polynomial)}, {"multiplicity", factor.multiplicity}, {"order", factor.order}};
  if (factor.first) {
    json["time_constant"] = text(factor.first->time_constant);
    json["corner"] = text(factor.first->corner);
  }
  if (factor.second) {
    json["omega_n"] = text(factor.second->frequency);
    json["zeta"] = text(factor.second->damping);
    json["Q"] = factor.second->quality ? Json(text(*factor.second->quality)) : Json(nullptr);
  }
  return json;
}

Json factors_json(const std::vector<Factor>& factors) {
  Json list = Json::array();
  for (const Factor& factor : factors) list.push_back(factor_json(factor));
  return list;
}

Json json_of(const SignalFlowGraph& graph, const FactoredTransfer& factored, const TransferFunction& transfer) {
  Json json = answer_json(graph, factored.question, "factored");
  const Parts text = parts(factored, Notation::text);
  json["expression"] = text.line;
  json["numerator"] = text.above;
  json["denominator"] = text.below.empty() ? "1" : text.below;
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

void write_text(std::ostream& out, const SignalFlowGraph& graph, std::span<const FactoredTransfer> all,
                std::span<const TransferFunction> transfers, Notation notation) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) out << "\n";
    const FactoredTransfer& factored = all[i];
    const Parts text = parts(factored, notation);
    write_equation(out, answer_name(graph, factored.question, notation), text.line, text.above, text.below, notation);
    for (const auto* side : {&factored.above, &factored.below})
      for (const Factor& factor : *side) write_meaning(out, factor, notation);
    const Notation plain = notation == Notation::latex ? Notation::text : notation;
    fmt::print(out, "{}at {} = 0: {}\n", remark(notation), factored.variable,
               factored.dc_gain ? print(*factored.dc_gain, plain, factored.variable)
                                : "infinite, a pole of order " + std::to_string(factored.pole_at_zero));
    if (!factored.taken_as_positive.empty())
      fmt::print(out, "{}taken as positive: {}\n", remark(notation), joined_names(factored.taken_as_positive, plain));
    if (factored.dead_time) fmt::print(out, "{}dead time: {}\n", remark(notation), print(*factored.dead_time, plain));
    if (!transfers[i].cancelled.is_one()) fmt::print(out, "{}cancelled: {}\n", remark(notation), print(transfers[i].cancelled));
    write_checks(out, transfers[i].terms, transfers[i].verification, notation);
  }
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const FactoredTransfer> all,
                std::span<const TransferFunction> transfers) {
  Json list = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) list.push_back(json_of(graph, all[i], transfers[i]));
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
