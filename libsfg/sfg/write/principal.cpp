#include "sfg/write/derivation.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational_arithmetic.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

const std::string& name(const PrincipalReduction& reduction, NodeId node) { return reduction.form.linear[node].name; }

/// The principal nodes with their published numbers: the sources, then of every law its arguments and its output, then the sinks.
/// One source, one sink and laws of one argument: 1, 2 … 2k + 1, 2k + 2.
struct Numbering {
  struct Entry {
    std::size_t number;
    std::size_t index;  ///< among inputs or outputs of the reduction
  };
  std::vector<Entry> rows, columns;
  std::size_t size = 0;

  explicit Numbering(const PrincipalReduction& reduction) {
    const PrincipalForm& form = reduction.form;
    for (std::size_t s = 0; s < form.sources.size(); ++s) rows.push_back({++size, s});
    for (std::size_t i = 0; i < form.laws.size(); ++i) {
      for (const std::size_t argument : form.laws[i].arguments) columns.push_back({++size, argument});
      rows.push_back({++size, form.sources.size() + i});
    }
    for (std::size_t s = 0; s < form.sinks.size(); ++s) columns.push_back({++size, form.arguments.size() + s});
  }
};

/// T_{1,2}
Math transmittance(std::size_t from, std::size_t to) {
  return Math::name("T_" + std::to_string(from) + "_" + std::to_string(to));
}

class PrincipalPage {
 public:
  explicit PrincipalPage(const PrincipalReduction& reduction)
      : reduction_(reduction), form_(reduction.form), numbering_(reduction) {}

  Page write() {
    heading();
    nodes();
    pattern();
    transmittances();
    order();
    return std::move(page_);
  }

 private:
  void heading() {
    const std::size_t k = form_.laws.size();
    page_.title = "Reduction to principal nodes";
    page_.add(Paragraph{words(std::to_string(k) + (k == 1 ? " nonlinear branch, " : " nonlinear branches, ") +
                              std::to_string(numbering_.size) + " principal nodes; row: from, column: to")});
    for (const auto& law : form_.laws)
      if (law.arguments.empty())
        page_.add(Paragraph{words("the law into '" + head(law) + "' depends on no signal: it is a known function of time")});
  }

  const std::string& head(const PrincipalForm::Law& law) const { return name(reduction_, law.head); }

  void nodes() {
    Table table{{{words("node"), true}, {words("is")}, {words("signal")}, {words("law")}}, {}};
    const auto row = [&](std::size_t number, const std::string& role, const Math& signal, Prose law = {}) {
      table.rows.push_back({words(std::to_string(number)), words(role), {signal}, std::move(law)});
    };
    std::size_t number = 0;
    for (const NodeId source : form_.sources) row(++number, "source", Math::signal(name(reduction_, source)));
    for (std::size_t i = 0; i < form_.laws.size(); ++i) {
      const auto& law = form_.laws[i];
      const std::string which = form_.laws.size() == 1 ? "" : " " + std::to_string(i + 1);
      for (const std::size_t a : law.arguments) {
        const bool same = reduction_.at_source(a);
        row(++number, "argument of branch" + which + (same ? ", the source itself" : ""),
            Math::signal(name(reduction_, form_.arguments[a].node)));
      }
      row(++number, "output of branch" + which + (reduction_.at_sink(i) ? ", into the sink alone" : ""), Math::signal(head(law)),
          {math(law.stated)});
    }
    for (const NodeId sink : form_.sinks) row(++number, "sink", Math::signal(name(reduction_, sink)));
    page_.add(std::move(table));
  }

  Math entry(const Numbering::Entry& from, const Numbering::Entry& to) const {
    const RationalFunction& value = reduction_.between(from.index, to.index);
    if (is_zero(value)) return Math::number("0");
    if (value.numerator() == value.denominator()) return Math::number("1");
    return transmittance(from.number, to.number);
  }

  void pattern() {
    constexpr std::size_t most = 14;  // of nodes, for a matrix that is taken in at a glance
    if (numbering_.size > most) return;
    std::vector<Math> entries(numbering_.size * numbering_.size, Math::number("0"));
    for (const auto& from : numbering_.rows)
      for (const auto& to : numbering_.columns) entries[(from.number - 1) * numbering_.size + to.number - 1] = entry(from, to);
    page_.add(Heading{words("Matrix:")});
    page_.add(Equations{{{Math::bold("T"), {Math::matrix(std::move(entries), numbering_.size)}}}});
  }

  void transmittances() {
    page_.add(Heading{words("Transmittances:")});
    const RationalFunction* common = common_denominator();
    Equations list{{}, form_.linear.op.symbol(), 1};
    if (common != nullptr) list.rows.push_back({Math::name("Delta"), {of(common->denominator(), *common)}});
    for (const auto& from : numbering_.rows)
      for (const auto& to : numbering_.columns) {
        const RationalFunction& value = reduction_.between(from.index, to.index);
        if (is_zero(value)) continue;
        const Math name = transmittance(from.number, to.number);
        if (common == nullptr || is_one(value))
          list.rows.push_back({name, {value}});
        else
          list.rows.push_back({Math::product({Math::name("Delta"), name}), {of(value.numerator(), value)}});
      }
    page_.add(std::move(list));
    if (!reduction_.transmittances.empty()) {
      const Verification& checked = reduction_.transmittances.front().verification;
      page_.add(Paragraph{words("verified: " + checked.method), 0, true});
    }
  }

  /// Where all transmittances have the same denominator, which is the rule, it is written once.
  const RationalFunction* common_denominator() const {
    const RationalFunction* first = nullptr;
    std::size_t count = 0;
    for (const TransferFunction& transfer : reduction_.transmittances) {
      if (is_zero(transfer.value) || is_one(transfer.value)) continue;
      if (first != nullptr && first->denominator() != transfer.value.denominator()) return nullptr;
      first = &transfer.value;
      ++count;
    }
    return count > 1 && !first->denominator().is_constant() ? first : nullptr;
  }

  static RationalFunction of(const ring::Polynomial& polynomial, const RationalFunction& space) {
    return {space.space(), polynomial, ring::Polynomial::constant(space.space().context(), 1)};
  }

  void order() {
    if (reduction_.blocks.empty()) return;
    page_.add(Heading{words("Order of solution:")});
    for (const auto& block : reduction_.blocks) {
      std::vector<std::string> heads;
      for (const std::size_t law : block.laws) heads.push_back("'" + head(form_.laws[law]) + "'");
      const std::string what = heads.size() == 1 ? "the law into " : "the laws into ";
      page_.add(Paragraph{joined({words(what), listed(heads),
                                  words(!block.coupled           ? ": its arguments are known"
                                        : block.laws.size() == 1 ? ": one equation"
                                                                 : ": together")},
                                 ""),
                          1});
    }
  }

  const PrincipalReduction& reduction_;
  const PrincipalForm& form_;
  Numbering numbering_;
  Page page_;
};

std::string text(const RationalFunction& f) { return print(f.expression()); }

Json names_of_nodes_in(const PrincipalReduction& reduction, const std::vector<NodeId>& nodes) {
  if (nodes.size() == 1) return name(reduction, nodes.front());
  Json list = Json::array();
  for (const NodeId node : nodes) list.push_back(name(reduction, node));
  return list;
}

/// Rows of a block; one row alone stands without its list.
template <class Entry>
Json block(std::size_t rows, std::size_t columns, bool alone, Entry entry) {
  Json matrix = Json::array();
  for (std::size_t i = 0; i < rows; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < columns; ++j) row.push_back(text(entry(i, j)));
    matrix.push_back(std::move(row));
  }
  return alone && rows == 1 ? matrix[0] : matrix;
}

/// The arguments of the laws, law by law.
std::vector<std::size_t> argument_columns(const PrincipalForm& form) {
  std::vector<std::size_t> columns;
  for (const auto& law : form.laws) columns.insert(columns.end(), law.arguments.begin(), law.arguments.end());
  return columns;
}

}  // namespace

Page page(const PrincipalReduction& reduction) { return PrincipalPage(reduction).write(); }

void write_json(std::ostream& out, const PrincipalReduction& reduction) {
  const PrincipalForm& form = reduction.form;
  Json json{{"schema", "sfg/reduce/1"},
            {"variable", form.linear.op.symbol()},
            {"k", form.laws.size()},
            {"source", names_of_nodes_in(reduction, form.sources)},
            {"sink", names_of_nodes_in(reduction, form.sinks)},
            {"branches", Json::array()}};
  for (const auto& law : form.laws) {
    Json arguments = Json::array();
    for (const std::size_t a : law.arguments)
      arguments.push_back({{"signal", form.arguments[a].signal}, {"rate", form.arguments[a].rate}});
    const std::size_t first = law.arguments.empty() ? 0 : law.arguments.front();
    json["branches"].push_back({{"tail", law.arguments.empty() ? Json(nullptr) : Json(form.arguments[first].signal)},
                                {"head", name(reduction, law.head)},
                                {"law", print(law.stated)},
                                {"arguments", std::move(arguments)}});
  }
  const auto columns = argument_columns(form);
  const std::size_t k = form.laws.size(), sources = form.sources.size(), sinks = form.sinks.size();
  json["T1"] = block(sources, columns.size(), true, [&](auto i, auto j) { return reduction.T1(i, columns[j]); });
  json["Tj"] = block(k, columns.size(), false, [&](auto i, auto j) { return reduction.Tj(i, columns[j]); });
  json["Ts"] = Json::array();
  for (std::size_t i = 0; i < k; ++i) {
    Json row = block(1, sinks, true, [&](auto, auto j) { return reduction.Ts(i, j); });
    json["Ts"].push_back(sinks == 1 ? row[0] : row);
  }
  const Json through = block(sources, sinks, false, [&](auto i, auto j) { return reduction.T(i, j); });
  json["T_source_sink"] = sources == 1 && sinks == 1 ? through[0][0] : through;
  json["order"] = Json::array();
  for (const auto& block : reduction.blocks) json["order"].push_back({{"branches", block.laws}, {"coupled", block.coupled}});
  out << json.dump() << '\n';
}

}  // namespace sfg
