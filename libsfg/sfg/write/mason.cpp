#include "sfg/write/mason.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
using Sets = std::vector<std::vector<std::size_t>>;

Math numbered(const std::string& letter, std::size_t index) { return Math::name(letter + std::to_string(index + 1)); }
Math loop(std::size_t index) { return numbered("L", index); }

/// R → e → C
Math route(const std::vector<std::string>& names, const Path& path, bool closed) {
  Math text = Math::signal(names[path.nodes.front().index]);
  for (std::size_t i = 1; i < path.nodes.size(); ++i)
    text = Math::relation(std::move(text), "→", Math::signal(names[path.nodes[i].index]));
  return closed ? Math::relation(std::move(text), "→", Math::signal(names[path.nodes.front().index])) : text;
}

Math loop_product(const std::vector<std::size_t>& set) {
  std::vector<Math> factors;
  for (const std::size_t i : set) factors.push_back(loop(i));
  return Math::product(std::move(factors));
}

/// 1 − (L1 + L2) + L1·L2: the sets by size.
Math signed_sum(const Sets& sets) {
  std::vector<Math> all{Math::number("1")};
  for (std::size_t i = 0; i < sets.size();) {
    const std::size_t size = sets[i].size();
    std::vector<Math> group;
    for (; i < sets.size() && sets[i].size() == size; ++i) group.push_back(loop_product(sets[i]));
    if (size % 2 == 1)
      all.push_back(Math::negative(Math::sum(std::move(group))));
    else
      all.insert(all.end(), group.begin(), group.end());
  }
  return Math::sum(std::move(all));
}

/// The parts of the derivation in the order of a textbook.
class Derivation {
 public:
  explicit Derivation(const MasonListing& listing) : listing_(listing) {}

  /// What all pairs share: loops, sets and Δ.
  Page shared() && {
    list_loops();
    list_sets();
    if (!listing_.truncated) determinant();
    return std::move(page_);
  }
  /// What belongs to one pair alone.
  Page own() && {
    if (listing_.question.mode != Question::Mode::source) title();
    list_all_paths();
    if (listing_.truncated)
      note("The lists are cut; the determinant and the transmittance are not assembled.");
    else
      gain();
    return std::move(page_);
  }

  Page write() && {
    title();
    list_all_paths();
    list_loops();
    list_sets();
    if (listing_.truncated) {
      note("The lists are cut; the determinant and the transmittance are not assembled.");
    } else {
      determinant();
      gain();
    }
    return std::move(page_);
  }

 private:
  bool is_ratio() const { return listing_.question.mode == Question::Mode::ratio; }
  NodeId from() const { return driver(listing_.question); }
  const std::string& node(NodeId id) const { return listing_.names[id.index]; }
  Math expression(const GiNaC::ex& e) const { return math(e, listing_.op.symbol()); }
  Math gain_name() const { return sfg::gain_name(node(listing_.question.input), node(listing_.question.output)); }

  void title() {
    Prose text{"Mason's rule: ", gain_name()};
    if (is_ratio()) text.emplace_back(", both driven by " + node(from()));
    if (listing_.question.mode == Question::Mode::inject)
      text.emplace_back(", a unit signal added at " + node(listing_.question.input));
    page_.add(Paragraph{std::move(text)});
  }
  void heading(const std::string& text) { page_.add(Heading{words(text)}); }
  void note(const std::string& text) { page_.add(Paragraph{words(text), 1}); }
  void equations(std::vector<Equation> rows) {
    if (!rows.empty()) page_.add(Equations{std::move(rows), listing_.op.symbol(), 1});
  }
  std::string number_of(std::size_t listed, const std::optional<ring::Integer>& count) const {
    const std::string shown = std::to_string(listed);
    if (count && to_string(*count) == shown) return shown;
    return shown + " of " + (count ? to_string(*count) : "very many");
  }

  void list_paths(const std::vector<MasonListing::ForwardPath>& paths, const std::string& letter, const std::string& title) {
    const bool forward = letter == "P";
    heading(title + (forward ? ": " + number_of(paths.size(), listing_.path_count) : std::string()));
    if (paths.empty()) note("none: the gain is 0");
    std::vector<Equation> rows;
    for (std::size_t k = 0; k < paths.size(); ++k)
      rows.push_back({numbered(letter, k), {expression(paths[k].gain)}, {route(listing_.names, paths[k].path, false)}});
    equations(std::move(rows));
  }
  void list_all_paths() {
    list_paths(listing_.paths, "P", "Forward paths from " + node(from()) + " to " + node(listing_.question.output));
    if (is_ratio())
      list_paths(listing_.reference_paths, "Q", "Forward paths from " + node(from()) + " to " + node(listing_.question.input));
  }
  void list_loops() {
    heading("Loops: " + number_of(listing_.loops.size(), listing_.loop_count));
    if (listing_.loops.empty()) note("none");
    std::vector<Equation> rows;
    for (std::size_t i = 0; i < listing_.loops.size(); ++i)
      rows.push_back({loop(i), {expression(listing_.loops[i].gain)}, {route(listing_.names, listing_.loops[i].path, true)}});
    equations(std::move(rows));
  }
  void list_sets() {
    heading("Sets of two or more non-touching loops" + std::string(listing_.truncated ? ", as far as listed" : ""));
    if (listing_.non_touching.empty()) note("none");
    for (const auto& set : listing_.non_touching) page_.add(Paragraph{{loop_product(set)}, 1});
  }

  Sets all_sets() const {
    Sets sets;
    for (std::size_t i = 0; i < listing_.loops.size(); ++i) sets.push_back({i});
    sets.insert(sets.end(), listing_.non_touching.begin(), listing_.non_touching.end());
    return sets;
  }
  static Math cofactor_name(const std::string& letter, std::size_t k) { return numbered(letter == "P" ? "Δ" : "Δ_Q", k); }
  void list_cofactors(const std::vector<MasonListing::ForwardPath>& paths, const std::string& letter) {
    std::vector<Equation> rows;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const auto& sets = paths[k].non_touching;
      rows.push_back({cofactor_name(letter, k), {signed_sum(sets)}});
      if (!sets.empty()) rows.back().right.push_back(loop_sum(listing_, sets, paths[k].cofactor));
    }
    equations(std::move(rows));
  }
  static Math path_sum(const std::vector<MasonListing::ForwardPath>& paths, const std::string& letter) {
    std::vector<Math> terms;
    for (std::size_t k = 0; k < paths.size(); ++k)
      terms.push_back(Math::product({numbered(letter, k), cofactor_name(letter, k)}));
    return terms.empty() ? Math::number("0") : Math::sum(std::move(terms));
  }
  void determinant() {
    heading("Determinant: " + to_string(*listing_.set_count) + " products");
    const Sets sets = all_sets();
    Equation determinant{Math::name("Δ"), {signed_sum(sets)}};
    if (!sets.empty()) determinant.right.push_back(loop_sum(listing_));
    equations({std::move(determinant)});
  }
  void gain() {
    heading("Cofactors");
    if (listing_.paths.empty() && listing_.reference_paths.empty()) note("none");
    list_cofactors(listing_.paths, "P");
    list_cofactors(listing_.reference_paths, "Q");
    heading("Gain");
    Math below = is_ratio() ? path_sum(listing_.reference_paths, "Q") : Math::name("Δ");
    equations(
        {{gain_name(), {Math::quotient(path_sum(listing_.paths, "P"), std::move(below)), expression(listing_.transmittance)}}});
  }

  const MasonListing& listing_;
  Page page_;
};

Json node_names(const MasonListing& listing, const Path& path) {
  Json names = Json::array();
  for (const NodeId id : path.nodes) names.push_back(listing.names[id.index]);
  return names;
}

/// Exact: a number where every reader of JSON keeps all digits, else a string; null when unknown.
Json exact_count(const std::optional<ring::Integer>& number) {
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

Page page(const MasonListing& listing) { return Derivation(listing).write(); }

std::vector<Page> pages(std::span<const MasonListing> listings) {
  if (listings.size() == 1) return {page(listings.front())};
  const bool shared = std::ranges::all_of(listings, [&](const MasonListing& listing) {
    return !listing.truncated && listing.non_touching == listings.front().non_touching &&
           std::ranges::equal(listing.loops, listings.front().loops,
                              [](const auto& a, const auto& b) { return a.path.nodes == b.path.nodes; });
  });
  std::vector<Page> all;
  if (shared && !listings.empty()) all.push_back(Derivation(listings.front()).shared());
  for (const MasonListing& listing : listings) {
    all.push_back(shared ? Derivation(listing).own() : page(listing));
    all.back().title = listing.names[listing.question.output.index] + "/" + listing.names[listing.question.input.index];
  }
  return all;
}

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
  json["counts"] = {{"paths", exact_count(listing.path_count)},
                    {"loops", exact_count(listing.loop_count)},
                    {"sets", exact_count(listing.set_count)}};
  json["truncated"] = listing.truncated;
  out << json.dump() << "\n";
}

Math loop_sum(const MasonListing& listing, const std::vector<std::vector<std::size_t>>& sets, const GiNaC::ex& sum) {
  constexpr std::size_t most = 200;
  const std::string& op = listing.op.symbol();
  if (sets.size() > most) return math(sum, op);
  std::vector<GiNaC::ex> terms{1};
  for (const auto& set : sets) {
    GiNaC::ex term = set.size() % 2 == 0 ? 1 : -1;
    for (const std::size_t i : set) term *= listing.loops[i].gain;
    if (term.is_zero()) continue;
    const auto like = std::ranges::find_if(
        terms, [&](const GiNaC::ex& known) { return !known.is_zero() && GiNaC::is_exactly_a<GiNaC::numeric>(term / known); });
    if (like == terms.end())
      terms.push_back(term);
    else
      *like += term;
  }
  std::erase_if(terms, [](const GiNaC::ex& term) { return term.is_zero(); });
  std::vector<Math> written;
  for (const GiNaC::ex& term : terms)
    for (Math& part : sfg::terms(math(term, op))) written.push_back(std::move(part));
  return written.empty() ? Math::number("0") : Math::sum(std::move(written));
}

Math loop_sum(const MasonListing& listing) {
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t i = 0; i < listing.loops.size(); ++i) sets.push_back({i});
  sets.insert(sets.end(), listing.non_touching.begin(), listing.non_touching.end());
  return loop_sum(listing, sets, listing.determinant);
}

}  // namespace sfg
