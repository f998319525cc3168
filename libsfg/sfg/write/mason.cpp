#include "sfg/write/mason.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/write/signal_name.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
using Sets = std::vector<std::vector<std::size_t>>;

/// How the pieces of the derivation are spelled.
class Spelling {
 public:
  explicit Spelling(Notation notation) : notation_(notation), latex_(notation == Notation::latex) {}

  bool latex() const { return latex_; }
  std::string expression(const GiNaC::ex& e, const std::string& main) const { return print(e, notation_, main); }
  /// A numbered letter: L1, L_{1}; counted from 1.
  std::string numbered(const std::string& letter, std::size_t index) const {
    const std::string number = std::to_string(index + 1);
    return latex_ ? letter + "_{" + number + "}" : letter + number;
  }
  std::string loop(std::size_t index) const { return numbered("L", index); }
  std::string delta() const { return latex_ ? "\\Delta" : "Δ"; }
  std::string minus() const { return latex_ ? " - " : " − "; }
  std::string quotient(const std::string& above, const std::string& below) const {
    return latex_ ? "\\frac{" + above + "}{" + below + "}" : "(" + above + ")/" + below;
  }
  std::string name(const std::string& node) const { return signal_name(node, notation_); }
  std::string gain(const std::string& input, const std::string& output) const { return gain_name(input, output, notation_); }
  std::string route(const std::vector<std::string>& names, const Path& path, bool closed) const {
    const std::string arrow = latex_ ? " \\to " : " → ";
    std::string text;
    for (const NodeId id : path.nodes) text += (text.empty() ? "" : arrow) + name(names[id.index]);
    return closed ? text + arrow + name(names[path.nodes.front().index]) : text;
  }
  std::string loop_product(const std::vector<std::size_t>& set) const {
    std::string text;
    for (const std::size_t i : set) text += (text.empty() ? "" : " ") + loop(i);
    return text;
  }
  /// 1 − (L1 + L2) + (L1 L2): the sets by size.
  std::string signed_sum(const Sets& sets) const {
    std::string text = "1";
    for (std::size_t i = 0; i < sets.size();) {
      const std::size_t size = sets[i].size();
      std::string group;
      for (; i < sets.size() && sets[i].size() == size; ++i) group += (group.empty() ? "" : " + ") + loop_product(sets[i]);
      text += (size % 2 == 1 ? minus() : " + ") + "(" + group + ")";
    }
    return text;
  }

 private:
  Notation notation_;
  bool latex_;
};

/// The parts of the derivation in the order of a textbook, for either kind of page.
class Derivation {
 public:
  Derivation(const MasonListing& listing, Notation notation) : listing_(listing), spelling_(notation) {}

  void write(std::ostream& out) {
    if (spelling_.latex()) out << "\\begin{align*}\n";
    title(out);
    list_paths(out, listing_.paths, "P", "Forward paths from " + node(from()) + " to " + node(listing_.question.output));
    if (is_ratio())
      list_paths(out, listing_.reference_paths, "Q",
                 "Forward paths from " + node(from()) + " to " + node(listing_.question.input));
    list_loops(out);
    list_sets(out);
    if (listing_.truncated)
      note(out, "The lists are cut; the determinant and the transmittance are not assembled.");
    else
      assemble(out);
    if (spelling_.latex()) out << "\\end{align*}\n";
  }

 private:
  bool is_ratio() const { return listing_.question.mode == Question::Mode::ratio; }
  NodeId from() const { return driver(listing_.question); }
  const std::string& node(NodeId id) const { return listing_.names[id.index]; }
  std::string expression(const GiNaC::ex& e) const { return spelling_.expression(e, listing_.op.symbol()); }

  void title(std::ostream& out) const {
    if (spelling_.latex()) return;
    out << "Mason's rule: " << node(listing_.question.output) << "/" << node(listing_.question.input);
    if (is_ratio()) out << ", both driven by " << node(from());
    if (listing_.question.mode == Question::Mode::inject) out << ", a unit signal added at " << node(listing_.question.input);
    out << "\n";
  }
  void heading(std::ostream& out, const std::string& text) const {
    if (!spelling_.latex()) out << "\n" << text << "\n";
  }
  void note(std::ostream& out, const std::string& text) const {
    if (spelling_.latex())
      out << "& \\text{" << text << "} \\\\\n";
    else
      out << "  " << text << "\n";
  }
  /// left = right [= again], with a remark at the end of the line.
  void equation(std::ostream& out, const std::string& left, const std::vector<std::string>& right,
                const std::string& remark = {}) const {
    out << (spelling_.latex() ? "" : "  ") << left;
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (i > 0) out << (spelling_.latex() ? " \\\\\n" : "\n    ");
      out << (spelling_.latex() ? " &= " : i > 0 ? "= " : " = ") << right[i];
    }
    if (!remark.empty()) out << (spelling_.latex() ? " && " + remark : "   (" + remark + ")");
    out << (spelling_.latex() ? " \\\\\n" : "\n");
  }
  std::string number_of(std::size_t listed, const std::optional<ring::Integer>& count) const {
    const std::string shown = std::to_string(listed);
    if (count && to_string(*count) == shown) return shown;
    return shown + " of " + (count ? to_string(*count) : "very many");
  }

  void list_paths(std::ostream& out, const std::vector<MasonListing::ForwardPath>& paths, const std::string& letter,
                  const std::string& title) const {
    const bool forward = letter == "P";
    heading(out, title + (forward ? ": " + number_of(paths.size(), listing_.path_count) : std::string()));
    if (paths.empty()) note(out, "none: the gain is 0");
    for (std::size_t k = 0; k < paths.size(); ++k)
      equation(out, spelling_.numbered(letter, k), {expression(paths[k].gain)},
               spelling_.route(listing_.names, paths[k].path, false));
  }
  void list_loops(std::ostream& out) const {
    heading(out, "Loops: " + number_of(listing_.loops.size(), listing_.loop_count));
    if (listing_.loops.empty()) note(out, "none");
    for (std::size_t i = 0; i < listing_.loops.size(); ++i)
      equation(out, spelling_.loop(i), {expression(listing_.loops[i].gain)},
               spelling_.route(listing_.names, listing_.loops[i].path, true));
  }
  void list_sets(std::ostream& out) const {
    if (spelling_.latex()) return;
    heading(out, "Sets of two or more non-touching loops" + std::string(listing_.truncated ? ", as far as listed" : ""));
    if (listing_.non_touching.empty()) note(out, "none");
    for (const auto& set : listing_.non_touching) out << "  " << spelling_.loop_product(set) << "\n";
  }

  Sets all_sets() const {
    Sets sets;
    for (std::size_t i = 0; i < listing_.loops.size(); ++i) sets.push_back({i});
    sets.insert(sets.end(), listing_.non_touching.begin(), listing_.non_touching.end());
    return sets;
  }
  std::string cofactor_name(const std::string& letter, std::size_t k) const {
    if (letter == "P") return spelling_.numbered(spelling_.delta(), k);
    return spelling_.latex() ? spelling_.delta() + "_{Q_{" + std::to_string(k + 1) + "}}" : spelling_.numbered("ΔQ", k);
  }
  void list_cofactors(std::ostream& out, const std::vector<MasonListing::ForwardPath>& paths, const std::string& letter) const {
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const auto& sets = paths[k].non_touching;
      std::vector<std::string> right{spelling_.signed_sum(sets)};
      if (!sets.empty()) right.push_back(expression(paths[k].cofactor));
      equation(out, cofactor_name(letter, k), right);
    }
  }
  std::string path_sum(const std::vector<MasonListing::ForwardPath>& paths, const std::string& letter) const {
    std::string text;
    for (std::size_t k = 0; k < paths.size(); ++k)
      text += (text.empty() ? "" : " + ") + spelling_.numbered(letter, k) + " " + cofactor_name(letter, k);
    return text.empty() ? "0" : text;
  }
  void assemble(std::ostream& out) const {
    heading(out, "Determinant: " + to_string(*listing_.set_count) + " products");
    const Sets sets = all_sets();
    std::vector<std::string> right{spelling_.signed_sum(sets)};
    if (!sets.empty()) right.push_back(expression(listing_.determinant));
    equation(out, spelling_.delta(), right);
    heading(out, "Cofactors");
    if (listing_.paths.empty() && listing_.reference_paths.empty()) note(out, "none");
    list_cofactors(out, listing_.paths, "P");
    list_cofactors(out, listing_.reference_paths, "Q");
    heading(out, "Gain");
    const std::string below = is_ratio() ? path_sum(listing_.reference_paths, "Q") : spelling_.delta();
    const std::string gain =
        spelling_.quotient(path_sum(listing_.paths, "P"), is_ratio() && !spelling_.latex() ? "(" + below + ")" : below);
    equation(out, spelling_.gain(node(listing_.question.input), node(listing_.question.output)),
             {gain, expression(listing_.transmittance)});
  }

  const MasonListing& listing_;
  Spelling spelling_;
};

Json node_names(const MasonListing& listing, const Path& path) {
  Json names = Json::array();
  for (const NodeId id : path.nodes) names.push_back(listing.names[id.index]);
  return names;
}

/// Exact: a number where every reader of JSON keeps all digits, else a string; null when unknown.
Json count(const std::optional<ring::Integer>& number) {
  static const ring::Integer least_unsafe("1000000000000000");
  if (!number) return nullptr;
  return *number < least_unsafe ? Json(static_cast<std::uint64_t>(number->to_double())) : Json(to_string(*number));
}

Json path_list(const MasonListing& listing, const std::vector<MasonListing::ForwardPath>& paths) {
  Json list = Json::array();
  for (const auto& path : paths)
    list.push_back({{"nodes", node_names(listing, path.path)},
                    {"gain", print(path.gain)},
                    {"cofactor", listing.truncated ? Json(nullptr) : Json(print(path.cofactor))}});
  return list;
}

}  // namespace

void write_text(std::ostream& out, const MasonListing& listing, Notation notation) { Derivation(listing, notation).write(out); }

void write_json(std::ostream& out, const MasonListing& listing) {
  Json json{{"schema", "sfg/mason/1"},
            {"variable", listing.op.symbol()},
            {"input", listing.names[listing.question.input.index]},
            {"output", listing.names[listing.question.output.index]}};
  if (listing.question.reference) json["reference"] = listing.names[listing.question.reference->index];
  if (listing.question.mode == Question::Mode::inject) json["injected"] = true;
  json["paths"] = path_list(listing, listing.paths);
  if (listing.question.mode == Question::Mode::ratio) json["reference_paths"] = path_list(listing, listing.reference_paths);
  Json loops = Json::array();
  for (const auto& loop : listing.loops) loops.push_back({{"nodes", node_names(listing, loop.path)}, {"gain", print(loop.gain)}});
  json["loops"] = std::move(loops);
  json["nontouching"] = listing.non_touching;
  json["determinant"] = listing.truncated ? Json(nullptr) : Json(print(listing.determinant));
  json["transfer"] = listing.truncated ? Json(nullptr) : Json(print(listing.transmittance, Notation::text, listing.op.symbol()));
  json["counts"] = {
      {"paths", count(listing.path_count)}, {"loops", count(listing.loop_count)}, {"sets", count(listing.set_count)}};
  json["truncated"] = listing.truncated;
  out << json.dump() << "\n";
}

}  // namespace sfg
