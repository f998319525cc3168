#include "sfg/report/derivation_html.hpp"

#include <map>
#include <ostream>

#include "sfg/expr/name.hpp"
#include "sfg/expr/names_in_use.hpp"
#include "sfg/report/report_html.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/write/page/mathml_lines.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

using Sets = std::vector<std::vector<std::size_t>>;
using Forward = std::vector<MasonListing::ForwardPath>;

constexpr std::size_t most_open = 36;      ///< a longer list is folded
constexpr std::size_t most_expanded = 60;  ///< terms that are shown with their gains, too
constexpr double indent = 4;               ///< of formulas, and a sign, in ems

std::string letter_of(const std::string& letter, std::size_t index) { return letter + std::to_string(index + 1); }

std::string terms_attribute(const std::vector<std::size_t>& set) {
  std::string words;
  for (const std::size_t i : set) words += (words.empty() ? "L" : " L") + std::to_string(i + 1);
  return words;
}

/// What a term is found by.
std::string marked(const std::string& terms, const std::string& inside) {
  return "<span data-terms=\"" + terms + "\">" + inside + "</span>";
}

/// Mathematics in a line of text.
std::string inline_math(const Math& formula) { return mathml_within(formula, report_html.room - indent); }
/// A node: as mathematics, or as the text that it is, which lines may break and which may run from right to left.
std::string node_name(const std::string& name) {
  const Math shown = Math::signal(name);
  const bool words = !is_name(name) && NamesInUse::look(name).line == name_as_written(name);
  return words ? "<bdi>" + xml_text(name) + "</bdi>" : inline_math(shown);
}
std::string symbol(const std::string& letter, std::size_t index) { return inline_math(Math::name(letter_of(letter, index))); }

Math product_of(const std::vector<std::size_t>& set) {
  std::vector<Math> factors;
  for (const std::size_t i : set) factors.push_back(Math::name(letter_of("L", i)));
  return Math::product(std::move(factors));
}

class DerivationHtml {
 public:
  DerivationHtml(std::ostream& out, const ReportDerivation& derivation, const DerivationPlace& place, const Budget& budget)
      : out_(out), listings_(derivation.listings), first_(derivation.listings.front()), place_(place), budget_(budget) {
    if (place.drawn)
      for (BranchBundle& bundle : bundles(*place.drawn))
        branches_[{bundle.from.index, bundle.to.index}] = std::move(bundle.branches);
  }

  void write() {
    names();
    rule();
    const bool alone = listings_.size() == 1;
    if (alone) for_pair(first_, true, false);
    loops();
    sets();
    determinant();
    for (const MasonListing& listing : listings_) for_pair(listing, !alone, true);
  }

 private:
  /// The names of the nodes, as data: what is said of loops that touch is made of them.
  void names() {
    out_ << "<ul class=\"signals\" hidden>\n";
    for (const std::string& name : first_.names) out_ << "<li data-name=\"" << xml_text(name) << "\"></li>\n";
    out_ << "</ul>\n";
  }
  void rule() {
    out_ << "<p>Mason's rule: "
         << inline_math(Math::equation(
                Math::name("T"),
                Math::quotient(Math::product({Math::word("Σ"), Math::name("P_k"), Math::name("Δ_k")}), Math::name("Δ"))))
         << ". A path, loop or set that is pressed lights up in the graph and in every term that it is part of; a branch of the "
            "graph "
            "presses the paths and loops that run through it. Pressed again, or with Escape, the light goes out.</p>\n";
  }

  // ---- controls

  std::string route(const Path& path, bool closed) const {
    std::string text;
    const auto add = [&](NodeId node) { text += (text.empty() ? "" : " → ") + node_name(first_.names[node.index]); };
    for (const NodeId node : path.nodes) add(node);
    if (closed) add(path.nodes.front());
    return text;
  }

  /// ` data-nodes="0 3" data-branches="1 2"`, of one or several paths or loops together.
  std::string course(const std::vector<const Path*>& paths, bool closed) const {
    std::string nodes, branches;
    for (const Path* path : paths) {
      const std::size_t steps = path->nodes.size() - (closed ? 0 : 1);
      for (const NodeId node : path->nodes) nodes += (nodes.empty() ? "" : " ") + std::to_string(node.index);
      for (std::size_t i = 0; i < steps; ++i) {
        const auto found = branches_.find({path->nodes[i].index, path->nodes[(i + 1) % path->nodes.size()].index});
        if (found == branches_.end()) continue;
        for (const BranchId branch : found->second) branches += (branches.empty() ? "" : " ") + std::to_string(branch.index);
      }
    }
    return " data-nodes=\"" + nodes + "\" data-branches=\"" + branches + '"';
  }

  void control(const std::string& kind, const std::string& number, const std::string& label, const std::string& course,
               const std::string& shown) {
    out_ << "<button type=\"button\" data-" << kind << "=\"" << number << "\" aria-pressed=\"false\" aria-label=\"" << label
         << '"' << course << '>' << shown << "</button>";
  }

  /// A list of controls, folded where it is long.
  template <class Item>
  void list(const std::string& heading, std::size_t count, const std::string& what, const std::string& style, Item item) {
    out_ << "<h3>" << heading << ": " << count << "</h3>\n";
    if (count == 0) {
      out_ << "<p>none</p>\n";
      return;
    }
    const bool folded = count > most_open;
    if (folded) out_ << "<details><summary>all " << count << ' ' << what << "</summary>\n";
    out_ << "<ul class=\"" << style << "\">\n";
    for (std::size_t i = 0; i < count; ++i) {
      budget_.check("the report");
      out_ << "<li>";
      item(i);
      out_ << "</li>\n";
    }
    out_ << "</ul>\n" << (folded ? "</details>\n" : "");
  }

  std::string gain(const GiNaC::ex& value) const {
    constexpr double beside = 9;  // the button, and the sign
    const double room = report_html.room - beside;
    std::vector<MathmlLine> lines = mathml_lines(expression(value), room);
    lines.front().elements.insert(0, "<mo form=\"infix\">=</mo>");
    std::string text;
    for (const MathmlLine& line : lines) text += mathml_line(line, room);
    return "<span class=\"gain\">" + text + "</span>";
  }
  Math expression(const GiNaC::ex& value) const { return math(value, first_.op.symbol()); }

  void paths(const Forward& paths, const std::string& letter, const std::string& kind, const std::string& heading) {
    list(heading, paths.size(), "paths", "controls", [&](std::size_t k) {
      const std::string name = letter_of(letter, k);
      control(kind, std::to_string(k + 1), "forward path " + name, course({&paths[k].path}, false), symbol(letter, k));
      out_ << ' ' << gain(paths[k].gain) << " <span class=\"route\">" << route(paths[k].path, false) << "</span>";
    });
  }
  void loops() {
    list("Loops", first_.loops.size(), "loops", "controls", [&](std::size_t i) {
      control("loop", std::to_string(i + 1), "loop " + letter_of("L", i), course({&first_.loops[i].path}, true), symbol("L", i));
      out_ << ' ' << gain(first_.loops[i].gain) << " <span class=\"route\">" << route(first_.loops[i].path, true) << "</span>";
    });
  }
  void sets() {
    list("Sets of non-touching loops", first_.non_touching.size(), "sets", "controls sets", [&](std::size_t i) {
      const std::vector<std::size_t>& set = first_.non_touching[i];
      std::string numbers;
      std::vector<const Path*> all;
      for (const std::size_t loop : set) {
        numbers += (numbers.empty() ? "" : ",") + std::to_string(loop + 1);
        all.push_back(&first_.loops[loop].path);
      }
      control("set", numbers, "loops " + terms_attribute(set) + " together", course(all, true), inline_math(product_of(set)));
    });
  }

  // ---- terms

  /// A sign and what goes with it to the next line.
  static std::string summand(const std::string& sign, const std::string& term) {
    return " <span class=\"summand\">" + sign + ' ' + term + "</span>";
  }
  /// 1 − (L1 + L2) + L1·L2: the sets by size, each a term.
  static std::string signed_sum(const Sets& sets) {
    std::string text = inline_math(Math::number("1"));
    for (std::size_t i = 0; i < sets.size();) {
      const std::size_t size = sets[i].size(), begin = i;
      std::size_t end = i;
      while (end < sets.size() && sets[end].size() == size) ++end;
      const bool several = end - begin > 1;
      for (; i < end; ++i) {
        const std::string term = marked(terms_attribute(sets[i]), inline_math(product_of(sets[i])));
        if (i == begin)
          text += summand(size % 2 == 1 ? "−" : "+", several ? "(" + term : term);
        else
          text += summand("+", i + 1 == end ? term + ")" : term);
      }
    }
    return text;
  }
  /// The same with the gains of the loops: which summand comes of which set.
  std::string expanded(const Sets& sets) const {
    std::string text = inline_math(Math::number("1"));
    for (const std::vector<std::size_t>& set : sets) {
      GiNaC::ex value = 1;
      for (const std::size_t loop : set) value *= -first_.loops[loop].gain;
      const Math whole = expression(value);
      const bool negative = whole.is_negative();
      const Math& shown = negative ? whole.parts[0] : whole;
      const std::string term = inline_math(shown);
      text +=
          summand(negative ? "−" : "+", marked(terms_attribute(set), shown.kind == Math::Kind::sum ? "(" + term + ")" : term));
    }
    return text;
  }
  void delta(const std::string& number, const std::string& name, const Sets& sets) {
    out_ << (sets.empty() ? "<p class=\"formula plain\">" : "<p class=\"formula\">") << "<span data-delta=\"" << number << "\">"
         << inline_math(Math::name(name)) << " = " << signed_sum(sets) << "</span>";
    if (!sets.empty() && sets.size() <= most_expanded) out_ << "<br>\n<span class=\"expanded\">= " << expanded(sets) << "</span>";
    out_ << "</p>\n";
  }
  void determinant() {
    if (first_.truncated) return;
    out_ << "<h3>Determinant</h3>\n";
    Sets all;
    for (std::size_t i = 0; i < first_.loops.size(); ++i) all.push_back({i});
    all.insert(all.end(), first_.non_touching.begin(), first_.non_touching.end());
    delta("0", "Δ", all);
  }

  // ---- one pair

  void for_pair(const MasonListing& listing, bool with_paths, bool with_gain) {
    const std::string from = listing.names[driver(listing.question).index], to = listing.names[listing.question.output.index],
                      in = listing.names[listing.question.input.index];
    const bool ratio = listing.question.mode == Question::Mode::ratio;
    out_ << "<div data-transfer=\"" << xml_text(to + "/" + in) << "\">\n";
    if (with_paths) {
      const auto between = [&](const std::string& end) {
        return "Forward paths from " + node_name(from) + " to " + node_name(end);
      };
      paths(listing.paths, "P", "path", between(to));
      if (ratio) paths(listing.reference_paths, "Q", "reference-path", between(in));
    }
    if (with_gain && !listing.truncated) {
      cofactors(listing.paths, "Δ", "");
      cofactors(listing.reference_paths, "Δ_Q", "Q");
      gain_of(listing, gain_name(in, to), ratio);
    }
    out_ << "</div>\n";
  }
  void cofactors(const Forward& paths, const std::string& letter, const std::string& prefix) {
    if (paths.empty()) return;
    out_ << "<h3>" << (prefix.empty() ? "Cofactors: what the paths leave" : "Cofactors of the reference") << "</h3>\n";
    const bool folded = paths.size() > most_open;
    if (folded) out_ << "<details><summary>all " << paths.size() << " cofactors</summary>\n";
    for (std::size_t k = 0; k < paths.size(); ++k)
      delta(prefix + std::to_string(k + 1), letter_of(letter, k), paths[k].non_touching);
    if (folded) out_ << "</details>\n";
  }
  /// (P1 Δ1 + P2 Δ2)
  static std::string weighted(const Forward& paths, const std::string& letter, const std::string& cofactor) {
    if (paths.empty()) return inline_math(Math::number("0"));
    std::string text;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const std::string path = letter_of(letter, k),
                        term = marked(path, inline_math(Math::product({Math::name(path), Math::name(letter_of(cofactor, k))})));
      text += k == 0 ? term : summand("+", term);
    }
    return paths.size() > 1 ? "(" + text + ")" : text;
  }
  void gain_of(const MasonListing& listing, const Math& name, bool ratio) {
    out_ << "<h3>Gain from " << node_name(listing.names[listing.question.input.index]) << " to "
         << node_name(listing.names[listing.question.output.index]) << "</h3>\n<p class=\"formula\">" << inline_math(name)
         << " = " << weighted(listing.paths, "P", "Δ") << " / "
         << (ratio ? weighted(listing.reference_paths, "Q", "Δ_Q") : inline_math(Math::name("Δ"))) << "</p>\n";
    closed_form(name, expression(listing.transmittance));
  }
  /// In lowest terms; where that is long, and stands further below anyway, the way to it.
  void closed_form(const Math& name, const Math& value) {
    constexpr double short_enough = 60;  // ems
    if (place_.closed_forms && mathml_width(value) > short_enough) {
      out_ << "<p>In lowest terms it stands in <a href=\"#transfer\">the section on transfer functions</a>.</p>\n";
      return;
    }
    Page page;
    page.add(Equations{{{name, {value}}}, first_.op.symbol()});
    write_html(out_, page, report_html);
  }

  std::ostream& out_;
  const std::vector<MasonListing>& listings_;
  const MasonListing& first_;
  const DerivationPlace& place_;
  const Budget& budget_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<BranchId>> branches_;
};

}  // namespace

void write_derivation(std::ostream& out, const ReportDerivation& derivation, const DerivationPlace& place, const Budget& budget) {
  if (!derivation.listings.empty()) DerivationHtml(out, derivation, place, budget).write();
}

void write_pressed_line(std::ostream& out) {
  out << "<div class=\"pressed\"><p role=\"status\" class=\"said\"></p><button type=\"button\" class=\"release\" hidden>Release "
         "all"
         "</button></div>\n";
}

}  // namespace sfg
