#include "sfg/write/comparison.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

using json::Json;
using json::number;
using ExplanationChange = Explanation::Change;
using ExplanationKind = Explanation::Kind;
using Side = Explanation::Side;

constexpr std::size_t short_form = 40;   ///< terms of a closed form that is shown in text
constexpr std::size_t long_form = 5000;  ///< and in JSON

std::size_t term_count(const TransferFunction& transfer) {
  return transfer.value.numerator().term_count() + transfer.value.denominator().term_count();
}

std::string counted(std::size_t number, const std::string& one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

/// "branch x1 → x2", "entry d[Z, phix]", "parameter K".
Prose place(const Explanation& e) {
  if (e.kind == ExplanationKind::branch) return {"branch ", Math::relation(Math::signal(e.from), "→", Math::signal(e.to))};
  if (e.kind == ExplanationKind::parameter) return {"parameter ", Math::name(e.from)};
  if (e.kind == ExplanationKind::signal) return {"signal ", Math::signal(e.from)};
  return {"entry ", Math::element(Math::name("d"), {Math::signal(e.from), Math::signal(e.to)})};
}

std::string noun(const Explanation& e) {
  return e.kind == ExplanationKind::branch ? "gain " : e.kind == ExplanationKind::parameter ? "value " : "";
}

void append_prose(Prose& text, Prose more) { text.insert(text.end(), more.begin(), more.end()); }

Prose gain_in(const Explanation& e, const GiNaC::ex& value, const std::string& main) {
  if (value.is_zero() && e.kind != ExplanationKind::parameter) return {"none"};
  return {noun(e), math(value, main)};
}

/// What differs, as a sentence without its stop.
Prose described(const Explanation& e, const std::string& main, const std::string& a = "A", const std::string& b = "B") {
  Prose text = place(e);
  if (e.kind == ExplanationKind::signal) {
    text.emplace_back(" counts with opposite signs in " + a + " and " + b + " (sign)");
    return text;
  }
  if (e.side == Side::both) {
    text.emplace_back(": ");
    append_prose(text, gain_in(e, e.a, main));
    text.emplace_back(" in " + a + ", ");
    append_prose(text, e.b.is_zero() && e.kind != ExplanationKind::parameter ? Prose{"none"} : Prose{math(e.b, main)});
    text.emplace_back(" in " + b);
  } else {
    const bool in_a = e.side == Side::a;
    const GiNaC::ex &there = in_a ? e.a : e.b, &wanted = in_a ? e.b : e.a;
    text.emplace_back(" of " + (in_a ? a : b) + ": with ");
    append_prose(text, gain_in(e, wanted, main));
    if (!there.is_zero()) {
      text.emplace_back(" instead of ");
      text.emplace_back(math(there, main));
    } else {
      text.emplace_back(", which is not there,");
    }
    text.emplace_back(" it has the transfer functions of " + (in_a ? b : a));
  }
  switch (e.change) {
    case ExplanationChange::sign: text.emplace_back(" (sign)"); break;
    case ExplanationChange::missing: text.emplace_back(" (missing in " + b + ")"); break;
    case ExplanationChange::extra: text.emplace_back(" (not in " + a + ")"); break;
    case ExplanationChange::gain: break;
  }
  return text;
}

std::string plain(const Prose& text) {
  std::string all;
  for (const auto& part : text)
    all += std::holds_alternative<std::string>(part) ? std::get<std::string>(part) : write(std::get<Math>(part), Notation::text);
  return all;
}

std::string proof(const Comparison& c) {
  if (c.limits) return "";
  if (c.same == Sameness::open)
    return "not decided: functions or roots in the gains may depend on each other in a way that is not known here, and no "
           "numbers were found that tell the models apart";
  if (c.method == Equality::Method::balls)
    return "proved: the values of both at a point, enclosed in ball arithmetic, do not overlap";
  if (c.method == Equality::Method::exact && c.functions)
    return c.same == Sameness::same
               ? "proved: with the identities of their functions applied, the closed forms are the same polynomials"
               : "proved: with their functions written by letters between which no identity holds, the "
                 "values of both, eliminated modulo a prime at random points, are not the same";
  if (c.method == Equality::Method::exact)
    return c.same == Sameness::same
               ? "proved: the closed forms are the same polynomials, and both graphs were eliminated modulo primes at random "
                 "points"
               : "proved: the values of both, eliminated modulo a prime at random points, are not the same";
  return fmt::format(
      "checked modulo 61-bit primes at random points: the chance that they differ all the same is below {:.0e}; the closed "
      "forms are too large for polynomials",
      std::max(c.error_probability, 1e-300));
}

std::string word_of(Sameness same) {
  return same == Sameness::same ? ": the same" : same == Sameness::different ? ": differs" : ": not decided";
}

/// The pages of one comparison, part by part.
class ComparisonVerdict {
 public:
  explicit ComparisonVerdict(const Comparison& comparison) : c_(comparison), main_(comparison.op.symbol()) {}

  Page write() && {
    page_.add(Paragraph{words("A: " + c_.a)});
    page_.add(Paragraph{words("B: " + c_.b)});
    say(verdict());
    transfers();
    deviations();
    values();
    counterexample();
    explanations();
    for (const std::string& note : c_.notes) say("note: " + note);
    if (const std::string how = proof(c_); !how.empty()) page_.add(Paragraph{words(how), 0, true});
    return std::move(page_);
  }

 private:
  void say(const std::string& text, std::size_t depth = 0) { page_.add(Paragraph{words(text), depth}); }

  std::string verdict() const {
    const std::string what =
        c_.transfers.size() == 1 ? "The transfer function" : "The " + counted(c_.transfers.size(), "transfer function");
    const bool one = c_.transfers.size() == 1;
    const std::string with = c_.valued ? ", with the stated values," : "";
    if (c_.limits) {
      const std::string limits = fmt::format("{:g} dB and {:g} deg", c_.limits->magnitude_db, c_.limits->phase_deg);
      return what + (one ? " deviates" : " deviate") + (c_.same == Sameness::same ? " by no more than " : " by more than ") +
             limits + ".";
    }
    const auto count = [this](Sameness which) {
      return static_cast<std::size_t>(std::ranges::count(c_.transfers, which, &Comparison::Transfer::same));
    };
    const std::size_t same = count(Sameness::same), open = count(Sameness::open), different = count(Sameness::different);
    if (same == c_.transfers.size()) return what + with + (one ? " is the same." : " are the same.");
    if (different == c_.transfers.size()) return what + with + (one ? " differs." : " differ.");
    if (one) return "Whether the transfer function" + with + " is the same is not decided.";
    std::string text = std::to_string(same) + " of " + counted(c_.transfers.size(), "transfer function") + with +
                       (same == 1 ? " is the same" : " are the same");
    if (different > 0) text += ", " + std::to_string(different) + (different == 1 ? " differs" : " differ");
    if (open > 0) text += ", " + std::to_string(open) + (open == 1 ? " is" : " are") + " not decided";
    return text + ".";
  }

  void transfers() {
    const bool one = c_.transfers.size() == 1;
    for (const Comparison::Transfer& t : c_.transfers) {
      const bool shown = t.a && t.b && term_count(*t.a) <= short_form && term_count(*t.b) <= short_form;
      if (!one && !shown) {
        page_.add(Paragraph{{gain_name(t.input, t.output), word_of(t.same)}, 1});
        continue;
      }
      if (!shown) continue;
      std::vector<Equation> rows;
      if (t.same == Sameness::same) {
        rows.push_back({gain_name(t.input, t.output), {t.a->value}});
      } else {
        rows.push_back({gain_name(t.input, t.output), {t.a->value}, words("A")});
        rows.push_back({gain_name(t.input_b, t.output_b), {t.b->value}, words("B")});
      }
      page_.add(Equations{std::move(rows), main_, 1});
    }
  }

  void deviations() {
    for (const PairDeviation& d : c_.deviations) {
      const Comparison::Transfer& t = c_.transfers[d.transfer];
      page_.add(Paragraph{{gain_name(t.input, t.output), ": at most ", number_math(d.largest.magnitude_db), " dB apart, at ",
                           number_math(d.largest.magnitude_at), " rad/s, and ", number_math(d.largest.phase_deg), " deg, at ",
                           number_math(d.largest.phase_at), " rad/s", d.within ? "" : ": too much"},
                          1});
    }
  }

  Math stated(const StatedValue& v, bool a) const { return math(a ? *v.a : *v.b); }

  void values() {
    const auto all = [this](Sameness which) {
      return std::ranges::all_of(c_.transfers, [&](const Comparison::Transfer& t) { return t.same == which; });
    };
    const bool same = all(Sameness::same),
               open = std::ranges::count(c_.transfers, Sameness::open, &Comparison::Transfer::same) > 0;
    if (c_.same_with_values && *c_.same_with_values && !same)
      say(open ? "With the stated values they are the same."
               : "With the stated values they are the same: they differ as functions of the parameters.");
    if (c_.same_with_values && !*c_.same_with_values && same)
      say("With the stated values they differ: they are the same as functions of the parameters.");
    for (const StatedValue& v : c_.different_values)
      page_.add(Paragraph{{Math::equation(Math::name(v.name), stated(v, true)), " in A, ", stated(v, false), " in B"}, 1});
    for (const bool a : {true, false}) {
      std::vector<std::string> names;
      for (const StatedValue& v : c_.one_sided_values)
        if (v.a.has_value() == a) names.push_back(v.name);
      if (names.empty()) continue;
      std::string text;
      for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
      say((a ? "Only A states a value of " : "Only B states a value of ") + text + (c_.valued ? ": it holds for both." : "."));
    }
  }

  void add_value(const std::string& name, std::complex<double> value) {
    page_.add(Paragraph{{name + ": ", complex_math(value, 6), ", ", number_math(magnitude_db(value)), " dB, ",
                         number_math(phase_deg(value)), " deg"},
                        1});
  }

  void counterexample() {
    if (!c_.counterexample) return;
    const Counterexample& point = *c_.counterexample;
    const Comparison::Transfer& t = c_.transfers[point.transfer];
    Prose text{gain_name(t.input, t.output)};
    if (point.frequency) {
      text.emplace_back(" at ");
      text.emplace_back(number_math(*point.frequency));
      text.emplace_back(" rad/s");
    }
    for (std::size_t i = 0; i < point.parameters.size(); ++i) {
      text.emplace_back(i == 0 ? " with " : ", ");
      text.emplace_back(point.parameters[i].first + " = " + point.parameters[i].second);
    }
    text.emplace_back(":");
    page_.add(Paragraph{std::move(text)});
    add_value("A", point.a);
    add_value("B", point.b);
  }

  void explanations() {
    const Explanations& all = c_.explanations;
    if (!all.together.empty()) {
      say("What differs, in " + counted(all.together.size(), "place") + ":");
      for (const Explanation& e : all.together) page_.add(Paragraph{described(e, main_), 1});
    }
    for (std::size_t i = 0; i < all.alternatives.size(); ++i) {
      const bool first = i == 0 && all.together.empty();
      Prose text{first ? "What differs: " : "or: "};
      append_prose(text, described(all.alternatives[i], main_));
      page_.add(Paragraph{std::move(text), first ? 0UL : 1UL});
    }
  }

  const Comparison& c_;
  std::string main_;
  Page page_;
};

Json document(std::complex<double> value) {
  return {{"re", number(value.real())},
          {"im", number(value.imag())},
          {"magnitude_db", number(magnitude_db(value))},
          {"phase_deg", number(phase_deg(value))}};
}

Json form(const std::optional<TransferFunction>& transfer) {
  if (!transfer || term_count(*transfer) > long_form) return nullptr;
  return transfer->value.text();
}

Json document(const Explanation& e, const std::string& main) {
  const auto name = [](ExplanationKind kind) {
    return kind == ExplanationKind::branch      ? "branch"
           : kind == ExplanationKind::entry     ? "entry"
           : kind == ExplanationKind::parameter ? "parameter"
                                                : "signal";
  };
  const auto change = [](ExplanationChange c) {
    return c == ExplanationChange::sign      ? "sign"
           : c == ExplanationChange::missing ? "missing"
           : c == ExplanationChange::extra   ? "extra"
                                             : "gain";
  };
  Json json{{"kind", name(e.kind)}};
  if (e.kind == ExplanationKind::parameter || e.kind == ExplanationKind::signal) {
    json["name"] = e.from;
  } else {
    json["from"] = e.from;
    json["to"] = e.to;
  }
  json["a"] = print(e.a, Notation::text, main);
  json["b"] = print(e.b, Notation::text, main);
  json["change"] = change(e.change);
  json["sign"] = e.change == ExplanationChange::sign;
  json["side"] = e.side == Side::both ? "both" : e.side == Side::a ? "a" : "b";
  json["verified"] = true;
  json["method"] = e.exact ? "exact" : "modular";
  json["text"] = plain(described(e, main));
  return json;
}

Json document(const std::vector<Explanation>& all, const std::string& main) {
  Json list = Json::array();
  for (const Explanation& e : all) list.push_back(document(e, main));
  return list;
}

Json document(const std::vector<StatedValue>& values) {
  Json list = Json::array();
  for (const StatedValue& v : values)
    list.push_back({{"name", v.name}, {"a", v.a ? Json(print(*v.a)) : Json()}, {"b", v.b ? Json(print(*v.b)) : Json()}});
  return list;
}

Json document(const Counterexample& point, const Comparison& c) {
  Json parameters = Json::object();
  for (const auto& [name, value] : point.parameters) parameters[name] = value;
  return {{"input", c.transfers[point.transfer].input},
          {"output", c.transfers[point.transfer].output},
          {"frequency", point.frequency ? Json(*point.frequency) : Json()},
          {"a", document(point.a)},
          {"b", document(point.b)},
          {"parameters", std::move(parameters)},
          {"stated", point.stated}};
}

Json document(Sameness same) { return same == Sameness::open ? Json() : Json(same == Sameness::same); }

Json method_of(const Comparison& c) {
  if (c.limits) return "within";
  if (c.same == Sameness::open) return nullptr;
  return c.method == Equality::Method::exact ? "exact" : c.method == Equality::Method::balls ? "balls" : "modular";
}

Json document(const Comparison& c) {
  const std::string& main = c.op.symbol();
  Json json{{"schema", "sfg/compare/1"}, {"a", c.a}, {"b", c.b}, {"variable", main}, {"same", document(c.same)}};
  json["method"] = method_of(c);
  json["error_probability"] = c.error_probability;
  json["with_values"] = c.valued;
  json["same_with_values"] = c.same_with_values ? Json(*c.same_with_values) : Json();
  json["transfers"] = Json::array();
  for (const Comparison::Transfer& t : c.transfers)
    json["transfers"].push_back({{"input", t.input},
                                 {"output", t.output},
                                 {"input_b", t.input_b},
                                 {"output_b", t.output_b},
                                 {"same", document(t.same)},
                                 {"a", form(t.a)},
                                 {"b", form(t.b)}});
  json["counterexample"] = c.counterexample ? document(*c.counterexample, c) : Json();
  const auto& alternatives = c.explanations.alternatives;
  json["explanation"] = alternatives.empty() ? Json() : document(alternatives.front(), main);
  json["alternatives"] = alternatives.empty() ? Json::array() : document({alternatives.begin() + 1, alternatives.end()}, main);
  json["differences"] = document(c.explanations.together, main);
  json["values"] = {{"different", document(c.different_values)}, {"one_sided", document(c.one_sided_values)}};
  if (c.limits) {
    json["within"] = {{"magnitude_db", c.limits->magnitude_db}, {"phase_deg", c.limits->phase_deg}};
    json["deviations"] = Json::array();
    for (const PairDeviation& d : c.deviations)
      json["deviations"].push_back({{"input", c.transfers[d.transfer].input},
                                    {"output", c.transfers[d.transfer].output},
                                    {"magnitude_db", number(d.largest.magnitude_db)},
                                    {"magnitude_frequency", d.largest.magnitude_at},
                                    {"phase_deg", number(d.largest.phase_deg)},
                                    {"phase_frequency", d.largest.phase_at},
                                    {"bounded", d.largest.bounded},
                                    {"within", d.within}});
  }
  json["notes"] = c.notes;
  return json;
}

/// What a marked model does otherwise than A, shortly.
Prose mistake(const Explanation& e, const std::string& main) {
  if (e.kind == ExplanationKind::signal) return described(e, main, "A", "it");
  Prose text = place(e);
  const GiNaC::ex &there = e.b, &wanted = e.a;
  if (e.side == Side::a) text.insert(text.begin(), "as if in A ");
  text.emplace_back(": ");
  const auto shown = [&](const GiNaC::ex& value) {
    return value.is_zero() && e.kind != ExplanationKind::parameter ? Prose{"none"} : Prose{math(value, main)};
  };
  append_prose(text, shown(there));
  text.emplace_back(" instead of ");
  append_prose(text, shown(wanted));
  if (e.change == ExplanationChange::sign) text.emplace_back(" (sign)");
  return text;
}

Prose reason(const Comparison& c) {
  if (!c.deviations.empty()) {
    double magnitude = 0, phase = 0;
    for (const PairDeviation& d : c.deviations) {
      magnitude = std::max(magnitude, d.largest.magnitude_db);
      phase = std::max(phase, d.largest.phase_deg);
    }
    return {number_math(magnitude, 3), " dB, ", number_math(phase, 3), " deg"};
  }
  if (c.explanations.together.empty() && !c.explanations.alternatives.empty())
    return mistake(c.explanations.alternatives.front(), c.op.symbol());
  if (c.same_with_values.value_or(false)) return words("the same with the stated values");
  if (!c.explanations.together.empty()) return words(counted(c.explanations.together.size(), "place") + " differ");
  return {};
}

/// "FILE: different, branch v -> u: b instead of -b (sign)".
Prose line(const MarkedModel& marked) {
  if (!marked.comparison)
    return words(marked.file + ": no answer: " + marked.error + (marked.hint.empty() ? "" : "; " + marked.hint));
  const Sameness same = marked.comparison->same;
  Prose text{marked.file + (same == Sameness::same        ? ": the same"
                            : same == Sameness::different ? ": different"
                                                          : ": not decided")};
  const Prose why = same == Sameness::same && marked.comparison->deviations.empty() ? Prose{} : reason(*marked.comparison);
  if (!why.empty()) text.emplace_back(", ");
  append_prose(text, why);
  for (const std::string& note : marked.comparison->notes)
    if (note.starts_with("hidden modes")) text.emplace_back("; " + note);
  return text;
}

void put(std::ostream& out, const Json& json) { out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n'; }

struct Total {
  std::size_t same = 0, different = 0, undecided = 0, unanswered = 0;
};

Total total(std::span<const MarkedModel> models) {
  Total count;
  for (const MarkedModel& m : models) {
    const Sameness same = m.comparison ? m.comparison->same : Sameness::open;
    ++(!m.comparison                 ? count.unanswered
       : same == Sameness::same      ? count.same
       : same == Sameness::different ? count.different
                                     : count.undecided);
  }
  return count;
}

}  // namespace

Page page(const Comparison& comparison) { return ComparisonVerdict(comparison).write(); }

void write_json(std::ostream& out, const Comparison& comparison) { put(out, document(comparison)); }

Page page(const std::string& solution, std::span<const MarkedModel> models) {
  Page page;
  page.add(Paragraph{words("A: " + solution)});
  for (const MarkedModel& m : models) page.add(Paragraph{line(m)});
  const Total count = total(models);
  page.add(Paragraph{words(counted(models.size(), "model") + ": " + std::to_string(count.same) + " the same, " +
                           std::to_string(count.different) + " different" +
                           (count.undecided == 0 ? "" : ", " + std::to_string(count.undecided) + " not decided") +
                           (count.unanswered == 0 ? "" : ", " + std::to_string(count.unanswered) + " without an answer") + ".")});
  return page;
}

void write_json(std::ostream& out, const std::string& solution, std::span<const MarkedModel> models) {
  const Total count = total(models);
  Json list = Json::array();
  for (const MarkedModel& m : models) {
    Json entry{{"file", m.file}, {"same", m.comparison ? document(m.comparison->same) : Json()}};
    entry["comparison"] = m.comparison ? document(*m.comparison) : Json();
    entry["error"] = m.comparison ? Json() : Json{{"message", m.error}, {"hint", m.hint}};
    list.push_back(std::move(entry));
  }
  put(out, {{"schema", "sfg/compare/1"},
            {"a", solution},
            {"models", std::move(list)},
            {"total",
             {{"same", count.same},
              {"different", count.different},
              {"undecided", count.undecided},
              {"unanswered", count.unanswered}}}});
}

}  // namespace sfg
