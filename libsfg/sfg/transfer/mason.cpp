// Mason's rule written out. Loops are bit sets of nodes, grouped by their earliest node: a set of pairwise non-touching
// loops is built in ascending order of the earliest nodes, so that each is met once and groups whose first node is taken
// already are passed over as a whole.
#include "sfg/transfer/mason.hpp"

#include <ginac/add.h>
#include <ginac/mul.h>
#include <ginac/operators.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/graph_matrix.hpp"
#include "sfg/transfer/singular.hpp"
#include "sfg/transfer/term_counts.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {

namespace {

constexpr std::uint64_t most_counted = 10'000'000;  ///< paths or loops that are counted beyond the listed ones
Remedy list_fewer() { return Advice::list_some | Advice::ask_unlisted; }

/// Gains of loops and paths, with the parallel branches of the graph added once.
class Gains {
 public:
  explicit Gains(const SignalFlowGraph& graph) {
    for (const BranchBundle& bundle : bundles(graph)) gains_.emplace(std::pair(bundle.from, bundle.to), bundle.gain(graph));
  }
  GiNaC::ex of(const Path& path, bool closed) const {
    GiNaC::exvector factors;
    for (std::size_t i = 0; i + (closed ? 0 : 1) < path.nodes.size(); ++i)
      factors.push_back(gains_.at({path.nodes[i], path.nodes[(i + 1) % path.nodes.size()]}));
    return GiNaC::mul(factors);
  }

 private:
  std::map<std::pair<NodeId, NodeId>, GiNaC::ex> gains_;
};

/// The sets of pairwise non-touching loops.
class NonTouchingSets {
 public:
  NonTouchingSets(std::size_t nodes, const std::vector<MasonListing::Loop>& loops, const Budget& budget)
      : words_((nodes + 63) / 64), loops_(loops), budget_(budget) {
    masks_.assign(words_ * loops.size(), 0);
    for (std::size_t i = 0; i < loops.size(); ++i) {
      for (const NodeId id : loops[i].path.nodes) mark(&masks_[i * words_], id);
      const NodeId first = loops[i].path.nodes.front();
      if (groups_.empty() || groups_.back().first != first) groups_.push_back({first, i, i});
      groups_.back().end = i + 1;
    }
  }

  struct Result {
    std::vector<std::vector<std::size_t>> sets;  ///< without the empty one; by size, then index
    GiNaC::ex determinant;
  };

  /// All sets of loops that do not touch the path, and Δ of what the path leaves.
  Result without(const Path& path) {
    std::vector<std::uint64_t> used(words_, 0);
    for (const NodeId id : path.nodes) mark(used.data(), id);
    Result result;
    GiNaC::exvector terms{1};
    std::vector<GiNaC::ex> products{1};  // of the sets that are prefixes of the current one, signed
    extend(used, 0, loops_.size(), [&](const std::vector<std::size_t>& set) {
      if (result.sets.size() >= budget_.limits().terms)
        throw LimitReached("the graph has more than " + std::to_string(budget_.limits().terms) + " sets of non-touching loops",
                           list_fewer());
      result.sets.push_back(set);
      products.resize(set.size());
      products.push_back(-products.back() * loops_[set.back()].gain);
      terms.push_back(products.back());
      return true;
    });
    std::stable_sort(result.sets.begin(), result.sets.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    result.determinant = GiNaC::add(terms);
    return result;
  }

  /// The first sets of two or more loops, by size, then index; at most so many.
  std::vector<std::vector<std::size_t>> first(std::uint64_t most) {
    std::vector<std::vector<std::size_t>> sets;
    for (std::size_t size = 2, before = most; sets.size() < most && sets.size() != before; ++size) {
      before = sets.size();
      extend(std::vector<std::uint64_t>(words_, 0), 0, size, [&](const std::vector<std::size_t>& set) {
        if (set.size() == size) sets.push_back(set);
        return sets.size() < most;
      });
    }
    return sets;
  }

 private:
  struct Group {
    NodeId first;
    std::size_t begin, end;
  };

  static void mark(std::uint64_t* mask, NodeId id) { mask[id.index / 64] |= std::uint64_t{1} << (id.index % 64); }

  bool disjoint(const std::vector<std::uint64_t>& used, std::size_t loop) const {
    for (std::size_t w = 0; w < words_; ++w)
      if (used[w] & masks_[loop * words_ + w]) return false;
    return true;
  }

  /// Extends the current set by loops of later groups, up to `size` loops; false when the visitor stopped.
  template <class Visit>
  bool extend(const std::vector<std::uint64_t>& used, std::size_t from_group, std::size_t size, const Visit& visit) {
    if (current_.size() == size) return true;
    bool more = true;
    for (std::size_t g = from_group; g < groups_.size() && more; ++g) {
      const NodeId first = groups_[g].first;
      if (used[first.index / 64] >> (first.index % 64) & 1) continue;
      for (std::size_t i = groups_[g].begin; i < groups_[g].end && more; ++i) {
        if ((++steps_ & 0xfff) == 0) budget_.check("listing the non-touching loops");
        if (!disjoint(used, i)) continue;
        current_.push_back(i);
        std::vector<std::uint64_t> extended = used;
        for (std::size_t w = 0; w < words_; ++w) extended[w] |= masks_[i * words_ + w];
        more = visit(current_) && extend(extended, g + 1, size, visit);
        current_.pop_back();
      }
    }
    return more;
  }

  std::size_t words_;
  const std::vector<MasonListing::Loop>& loops_;
  const Budget& budget_;
  std::vector<std::uint64_t> masks_;
  std::vector<Group> groups_;
  std::vector<std::size_t> current_;
  std::uint64_t steps_ = 0;
};

/// Lists at most so many paths or loops and counts the rest as far as that is quick.
class Lister {
 public:
  Lister(const MasonOptions& options, const char* what) : options_(options), what_(what) {}

  bool operator()(const Path& path) {
    const std::uint64_t most = options_.limit == 0 ? options_.budget.limits().terms : options_.limit;
    ++count_;
    if (count_ <= most) {
      found.push_back(path);
      return true;
    }
    if (options_.limit == 0) throw LimitReached("the graph has more than " + std::to_string(most) + " " + what_, list_fewer());
    return count_ <= std::max(most_counted, options_.limit);
  }

  bool complete() const { return count_ == found.size(); }
  std::optional<ring::Integer> count() const {
    if (count_ > std::max(most_counted, options_.limit)) return {};
    return ring::Integer(std::to_string(count_));
  }

  std::vector<Path> found;

 private:
  const MasonOptions& options_;
  const char* what_;
  std::uint64_t count_ = 0;
};

Lister listed_paths(const SignalFlowGraph& graph, NodeId from, NodeId to, const MasonOptions& options) {
  Lister lister(options, "forward paths");
  for_each_path(graph, from, to, std::ref(lister), options.budget);
  return lister;
}

/// Looked at now and then: lists may be long.
void check_at(std::size_t entry, const Budget& budget) {
  if (entry % 64 == 0) budget.check("listing gains");
}

std::vector<MasonListing::ForwardPath> with_gains(const std::vector<Path>& paths, const Gains& gains, const Budget& budget) {
  std::vector<MasonListing::ForwardPath> found;
  for (const Path& path : paths) {
    check_at(found.size(), budget);
    found.push_back({path, gains.of(path, false), {}, {}});
  }
  return found;
}

/// Everything that needs all paths, loops and sets.
void complete(MasonListing& listing, NonTouchingSets& sets, const Budget& budget) {
  auto all = sets.without(Path{});
  listing.determinant = all.determinant;
  std::erase_if(all.sets, [](const auto& set) { return set.size() < 2; });
  listing.non_touching = std::move(all.sets);
  for (auto* paths : {&listing.paths, &listing.reference_paths})
    for (MasonListing::ForwardPath& path : *paths) {
      budget.check("the cofactors of the paths");
      auto rest = sets.without(path.path);
      path.cofactor = rest.determinant;
      path.non_touching = std::move(rest.sets);
    }
}

GiNaC::ex path_sum(const std::vector<MasonListing::ForwardPath>& paths) {
  GiNaC::exvector terms;
  for (const auto& path : paths) terms.push_back(path.gain * path.cofactor);
  return GiNaC::add(terms);
}

/// Σ P_k Δ_k / Δ of the listing at a point, from the values of the loops and paths alone.
class ListedValue {
 public:
  ListedValue(const MasonListing& listing, const ModularPoint& point) : listing_(listing), ring_(point.prime()), point_(point) {
    for (const auto& loop : listing.loops) loops_.push_back(value(loop.gain));
  }

  std::optional<std::uint64_t> transmittance() {
    const std::uint64_t above = sum(listing_.paths);
    std::uint64_t below = 1;
    if (listing_.question.mode == Question::Mode::ratio) {
      below = sum(listing_.reference_paths);
    } else {
      for (const std::uint64_t loop : loops_) below = ring_.subtract(below, loop);
      below = ring_.add(below, ring_.subtract(signed_sum(listing_.non_touching), 1));
    }
    if (!defined_ || below == 0) return std::nullopt;
    return ring_.divide(above, below);
  }

 private:
  std::uint64_t value(const GiNaC::ex& gain) {
    const auto found = point_(gain);
    defined_ = defined_ && found.has_value();
    return found.value_or(0);
  }
  /// 1 + Σ ± products of the sets.
  std::uint64_t signed_sum(const std::vector<std::vector<std::size_t>>& sets) const {
    std::uint64_t total = 1;
    for (const auto& set : sets) {
      std::uint64_t product = 1;
      for (const std::size_t i : set) product = ring_.negate(ring_.multiply(product, loops_[i]));
      total = ring_.add(total, product);
    }
    return total;
  }
  std::uint64_t sum(const std::vector<MasonListing::ForwardPath>& paths) {
    std::uint64_t total = 0;
    for (const auto& path : paths) total = ring_.add(total, ring_.multiply(value(path.gain), signed_sum(path.non_touching)));
    return total;
  }

  const MasonListing& listing_;
  ring::ModularRing ring_;
  const ModularPoint& point_;
  std::vector<std::uint64_t> loops_;
  bool defined_ = true;
};

GiNaC::ex transmittance(const SignalFlowGraph& graph, const MasonListing& listing, const Budget& budget) {
  try {
    return transfer_function(graph, listing.question, {.budget = budget}).value.expression();
  } catch (const LimitReached&) {
    budget.check("the transmittance");  // out of time is out of time; too many terms leave the quotient as it is written
  }
  const auto [above, below] = gain_by_paths(listing);
  return above / below;
}

/// The sets and products of the derivation must be few enough to be listed, where no limit cuts the lists.
void check_sizes(const std::optional<ring::Integer>& sets, const std::optional<ring::Integer>& products, std::uint64_t most) {
  const ring::Integer limit{std::to_string(most)};
  const auto refuse = [&](const std::string& what) {
    throw LimitReached(what + ", more than the limit of " + std::to_string(most), Advice::raise_term_limit | list_fewer());
  };
  if (sets && *sets > limit) refuse("the graph has " + to_string(*sets) + " sets of non-touching loops");
  if (products && *products > limit) refuse("the numerator has " + to_string(*products) + " products of gains");
}

}  // namespace

MasonListing mason(const SignalFlowGraph& graph, const Question& question, const MasonOptions& options) {
  const Budget& budget = options.budget;
  require_linear(graph);
  require_answers(graph, std::span(&question, 1), budget);
  MasonListing listing;
  listing.question = question;
  listing.op = graph.op;
  for (const Node& node : graph.nodes()) listing.names.push_back(node.name);

  GraphMatrix matrix(graph, {}, budget);
  TermCounter counter(matrix, ParallelBranches::merged);
  listing.set_count = counter.count(matrix.determinant());
  if (options.limit == 0)
    check_sizes(listing.set_count, counter.count(matrix.numerator(driver(question), question.output)), budget.limits().terms);

  const Gains gains(graph);
  Lister loops(options, "loops");
  for_each_loop(graph, std::ref(loops), budget);
  const Lister paths = listed_paths(graph, driver(question), question.output, options);
  listing.loop_count = loops.count();
  listing.path_count = paths.count();
  for (const Path& loop : loops.found) {
    check_at(listing.loops.size(), budget);
    listing.loops.push_back({loop, gains.of(loop, true)});
  }
  listing.paths = with_gains(paths.found, gains, budget);
  listing.truncated = !loops.complete() || !paths.complete();
  if (question.mode == Question::Mode::ratio) {
    const Lister to_input = listed_paths(graph, driver(question), question.input, options);
    listing.reference_paths = with_gains(to_input.found, gains, budget);
    listing.truncated = listing.truncated || !to_input.complete();
  }

  NonTouchingSets sets(graph.nodes().size(), listing.loops, budget);
  const auto few = [&](const std::optional<ring::Integer>& count) {
    return count && *count <= ring::Integer(std::to_string(options.limit));
  };
  listing.truncated = listing.truncated || (options.limit != 0 && !few(listing.set_count));
  if (listing.truncated) {
    listing.non_touching = sets.first(options.limit);
    return listing;
  }
  complete(listing, sets, budget);
  listing.transmittance = transmittance(graph, listing, budget);
  verified(
      graph, question, [&](const ModularPoint& point) { return ListedValue(listing, point).transmittance(); },
      static_cast<double>(2 * graph.branches().size()));
  return listing;
}

std::pair<GiNaC::ex, GiNaC::ex> gain_by_paths(const MasonListing& listing) {
  if (listing.truncated) throw std::invalid_argument("gain_by_paths: the listing is truncated");
  const bool ratio = listing.question.mode == Question::Mode::ratio;
  return {path_sum(listing.paths), ratio ? path_sum(listing.reference_paths) : listing.determinant};
}

}  // namespace sfg
