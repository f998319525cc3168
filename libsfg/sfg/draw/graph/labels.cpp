#include "sfg/draw/graph/labels.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "sfg/draw/formula.hpp"
#include "sfg/draw/gain_math.hpp"
#include "sfg/expr/math_tree.hpp"

namespace sfg {
namespace {

using Kind = Math::Kind;

constexpr std::size_t least_uses = 4;
constexpr std::size_t most_names = 12;
constexpr double least_width = 2.2;   // in text sizes
constexpr double least_saving = 7.0;  // in text sizes, the legend's line deducted

/// The sum with all its signs turned.
Math turned_sum(const Math& sum) {
  Math made = sum;
  for (Math& term : made.parts) term = Math::negative(std::move(term));
  return made;
}

/// A formula up to its sign: what is compared, and whether the formula is the negative of it.
struct UpToSign {
  Math body;
  bool negative = false;
};

UpToSign up_to_sign(const Math& m) {
  if (m.is_negative()) return {m.parts[0], true};
  if (m.kind == Kind::sum && m.parts.front().is_negative()) return {turned_sum(m), true};
  return {m, false};
}

bool may_be_named(const Math& m, bool whole) {
  return m.kind == Kind::sum || (whole && (m.kind == Kind::product || m.kind == Kind::quotient));
}

struct SharedPart {
  Math body;
  std::size_t uses = 0;
  double width = 0;
};

void count(const Math& m, bool whole, std::map<std::string, SharedPart>& parts) {
  const UpToSign own = up_to_sign(m);
  if (may_be_named(own.body, whole)) {
    SharedPart& part = parts.try_emplace(write(own.body, Notation::text), SharedPart{own.body}).first->second;
    ++part.uses;
  }
  for (const Math& inner : own.body.parts) count(inner, false, parts);
}

Math replaced(const Math& m, bool whole, const Math& body, const Math& name) {
  const UpToSign own = up_to_sign(m);
  if (may_be_named(own.body, whole) && own.body == body) return own.negative ? Math::negative(name) : name;
  Math made = m;
  for (Math& inner : made.parts) inner = replaced(inner, m.is_negative() && whole, body, name);
  return made;
}

/// The part whose name would save the most.
std::optional<SharedPart> best_part(const std::vector<Math>& gains, double size) {
  std::map<std::string, SharedPart> parts;
  for (const Math& gain : gains) count(gain, true, parts);
  std::optional<SharedPart> best;
  double most = least_saving * size;
  for (auto& [text, part] : parts) {
    if (part.uses < least_uses) continue;
    part.width = typeset(part.body, size).width;
    const double saving = static_cast<double>(part.uses) * (part.width - size) - part.width - 3 * size;
    if (part.width < least_width * size || saving <= most) continue;
    most = saving;
    best = part;
  }
  return best;
}

/// Sums and whole gains that occur in many of the gains, up to their sign, are replaced by names where that makes the picture
/// shorter: with w for h p + k, l_1 (h p + k) is l_1 w.
/// @param next_name  gives a name that nothing else has, each time another one.
/// @returns names and what they stand for; what stands for one may hold others.
std::vector<std::pair<Math, Math>> name_shared_parts(std::vector<Math>& gains, double size,
                                                     const std::function<Math()>& next_name) {
  std::vector<std::pair<Math, Math>> named;
  while (named.size() < most_names) {
    const std::optional<SharedPart> part = best_part(gains, size);
    if (!part) break;
    const Math name = next_name();
    for (Math& gain : gains) gain = replaced(gain, true, part->body, name);
    for (auto& [earlier, body] : named) body = replaced(body, true, part->body, name);
    named.emplace_back(name, part->body);
  }
  return named;
}

constexpr double tallest_in_text_sizes = 3.7;
constexpr double longest_in_text_sizes = 34;  // of a line in the legend

/// A letter for the names of gains that no name of the graph begins with.
std::string free_prefix(const SignalFlowGraph& graph) {
  std::set<std::string> taken;
  for (const Symbol& symbol : graph.symbols.all()) taken.insert(symbol.name);
  for (const Node& node : graph.nodes()) taken.insert(node.name);
  for (const std::string_view prefix : std::array<std::string_view, 4>{"w", "g", "q", "G"})
    if (std::ranges::none_of(taken, [&](const std::string& name) { return name.starts_with(prefix); }))
      return std::string(prefix);
  return "gain";
}

Math renamed(Math m, const Math& from, const Math& to) {
  if (m == from) return to;
  for (Math& part : m.parts) part = renamed(std::move(part), from, to);
  return m;
}

/// Gains in the making, with names for what is long or occurs often.
class Labelled {
 public:
  Labelled(const SignalFlowGraph& graph, double size, double widest, const std::vector<exact::Rational>& decimals, double line)
      : prefix_(free_prefix(graph)), gains_(gain_math(graph, decimals)), size_(size), widest_(widest), line_(line) {
    legend_ = name_shared_parts(gains_, size_, [&] { return next_name(); });
    name_long_ones();
    split_long_lines();
    if (legend_.size() == 1) drop_number();
  }

  GainLabels labels() const {
    GainLabels made;
    for (const Math& gain : gains_) made.gains.push_back({gain, typeset(gain, size_), {}, false});
    made.legend = legend_;
    return made;
  }

 private:
  Math next_name() { return Math::name(prefix_ + std::to_string(++used_)); }

  void name_long_ones() {
    for (Math& gain : gains_) {
      const Formula whole = typeset(gain, size_);
      if (whole.width <= widest_ && whole.height() <= tallest_in_text_sizes * size_) continue;
      const bool minus = gain.is_negative();
      const Math name = named(minus ? gain.parts[0] : gain);
      gain = minus ? Math::negative(name) : name;
    }
  }

  /// Sums within what is too long for a line of the legend are explained in lines of their own, where they are broken.
  void split_long_lines() {
    for (std::size_t i = 0; i < legend_.size(); ++i) {  // the list grows
      Math body = legend_[i].second;
      if (body.kind != Math::Kind::sum) {
        body = shortened(std::move(body));
      } else {
        for (Math& term : body.parts) term = shortened(std::move(term));
      }
      legend_[i].second = std::move(body);
    }
  }

  Math shortened(Math m) {
    if (typeset(m, size_).width <= line_) return m;
    for (Math& part : m.parts)
      part = part.kind == Math::Kind::sum && typeset(part, size_).width > line_ / 2 ? named(part) : shortened(std::move(part));
    return m;
  }

  Math named(const Math& body) {
    const auto known = std::ranges::find(legend_, body, &std::pair<Math, Math>::second);
    if (known != legend_.end()) return known->first;
    legend_.emplace_back(next_name(), body);
    return legend_.back().first;
  }

  /// A name that is the only one needs no number.
  void drop_number() {
    const Math numbered = legend_.front().first, plain = Math::name(prefix_);
    for (Math& gain : gains_) gain = renamed(std::move(gain), numbered, plain);
    legend_.front().first = plain;
  }

  std::string prefix_;
  std::vector<Math> gains_;
  std::vector<std::pair<Math, Math>> legend_;
  double size_, widest_, line_;
  std::size_t used_ = 0;
};

}  // namespace

GainLabels gain_labels(const SignalFlowGraph& graph, double size, double widest, const std::vector<exact::Rational>& decimals,
                       double width) {
  constexpr double margins = 48, head = 40;     // of the picture; of "w1 ="
  constexpr double shortest_in_text_sizes = 8;  // of a line, however narrow the picture
  double line = longest_in_text_sizes * size;
  if (width > 0) line = std::max(shortest_in_text_sizes * size, std::min(line, width - margins - head));
  return Labelled(graph, size, widest, decimals, line).labels();
}

Label name_label(const std::string& name, double size) {
  const Math signal = Math::signal(name);
  return {signal, typeset(signal, size), {}, false};
}

std::vector<Label> name_labels(const SignalFlowGraph& graph, double size) {
  std::vector<Label> labels;
  for (const Node& node : graph.nodes()) labels.push_back(name_label(node.name, size));
  return labels;
}

std::string with_minus_signs(const std::string& text) {
  std::string made;
  for (const char c : text) made += c == '-' ? std::string("−") : std::string(1, c);
  return made;
}

}  // namespace sfg
