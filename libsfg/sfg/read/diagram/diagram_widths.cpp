#include "sfg/read/diagram/diagram_widths.hpp"

#include <algorithm>

namespace sfg {

namespace {

using Kind = BlockMeaning::Kind;

constexpr std::size_t widest = 10'000;

/// From the inputs on, until nothing grows; a loop that nobody tells has one element.
class DiagramWidths {
 public:
  DiagramWidths(const FlatDiagram& flat, Problems& problems)
      : flat_(flat), problems_(problems), widths_(flat.ports().size(), 0) {}

  std::vector<std::size_t> widths() {
    followers_.resize(widths_.size());
    for (std::size_t i = 0; i < flat_.members().size(); ++i) {
      const FlatDiagram::Member& member = flat_.members()[i];
      sources_.push_back({});
      for (const std::size_t port : member.inputs) {
        sources_[i].push_back(port == FlatDiagram::none ? port : flat_.driver(port));
        if (sources_[i].back() != FlatDiagram::none) followers_[sources_[i].back()].push_back(i);
      }
      waiting_.push_back(i);
    }
    settle();
    for (std::size_t i = 0; i < widths_.size(); ++i)
      if (widths_[i] == 0 && flat_.members()[flat_.ports()[i].member].meaning.kind != Kind::join &&
          flat_.members()[flat_.ports()[i].member].meaning.kind != Kind::part) {
        widths_[i] = 1;
        waiting_ = followers_[i];
        settle();
      }
    for (std::size_t& width : widths_) width = std::max<std::size_t>(width, 1);
    for (std::size_t i = 0; i < flat_.members().size(); ++i) check(i);
    return std::move(widths_);
  }

 private:
  std::size_t width(std::size_t member, std::size_t input) const {
    const std::size_t source = input < sources_[member].size() ? sources_[member][input] : FlatDiagram::none;
    return source == FlatDiagram::none ? 1 : widths_[source];
  }

  void settle() {
    while (!waiting_.empty()) {
      const std::size_t index = waiting_.back();
      waiting_.pop_back();
      const FlatDiagram::Member& member = flat_.members()[index];
      for (std::size_t port = 0; port < member.ports; ++port) {
        const std::size_t now = width_of(index, port), at = member.first_port + port;
        if (now > widest) {
          problems_.error(member.block->where,
                          "the signal that leaves " + in_quotes(member.block->path) + " has more than 10000 elements",
                          "join fewer signals; none into itself");
          waiting_.clear();
          return;
        }
        if (now <= widths_[at]) continue;
        widths_[at] = now;
        waiting_.insert(waiting_.end(), followers_[at].begin(), followers_[at].end());
      }
    }
  }

  std::size_t width_of(std::size_t index, std::size_t port) const {
    const FlatDiagram::Member& member = flat_.members()[index];
    const BlockMeaning& meaning = member.meaning;
    switch (meaning.kind) {
      case Kind::scale: return meaning.gains.size() > 1 ? meaning.gains.size() : width(index, 0);
      case Kind::sum: {
        if (meaning.signs.size() == 1) return 1;
        std::size_t widest_input = 0;
        for (std::size_t i = 0; i < meaning.signs.size(); ++i)
          if (i < member.inputs.size() && member.inputs[i] != FlatDiagram::none)
            widest_input = std::max(widest_input, width(index, i));
        return widest_input;
      }
      case Kind::product: return meaning.matrix.rows;
      case Kind::states: return meaning.D.rows;
      case Kind::source:
      case Kind::inlet: return meaning.widths.empty() ? 1 : meaning.widths[0];
      case Kind::join: {
        std::size_t all = 0;
        for (std::size_t i = 0; i < member.inputs.size(); ++i) {
          const std::size_t part = width(index, i);
          if (part == 0) return 0;
          all += part;
        }
        return all;
      }
      case Kind::part: {
        if (!meaning.widths.empty()) return port < meaning.widths.size() ? meaning.widths[port] : 0;
        const std::size_t whole = width(index, 0), count = std::max<std::size_t>(meaning.number, 1);
        return whole / count + (port < whole % count ? 1 : 0);
      }
      default: return 0;
    }
  }

  void check(std::size_t index) {
    const FlatDiagram::Member& member = flat_.members()[index];
    const BlockMeaning& meaning = member.meaning;
    const auto refuse = [&](std::size_t has, std::size_t wants) {
      problems_.error(member.block->where,
                      "the signal that enters " + in_quotes(member.block->path) + " has " + counted(has, "element") +
                          ", and the block takes " + std::to_string(wants),
                      "mend the widths of the signals");
    };
    const auto fits = [&](std::size_t input, std::size_t wants) {
      const std::size_t has = width(index, input);
      if (has != wants && has != 1) refuse(has, wants);
    };
    if (meaning.kind == Kind::scale && meaning.gains.size() > 1) fits(0, meaning.gains.size());
    if (meaning.kind == Kind::sum && meaning.signs.size() > 1 && member.ports > 0)
      for (std::size_t i = 0; i < meaning.signs.size(); ++i) fits(i, widths_[member.first_port]);
    const StatedMatrix* const matrix = meaning.kind == Kind::product  ? &meaning.matrix
                                       : meaning.kind == Kind::states ? &meaning.D
                                                                      : nullptr;
    if (matrix && width(index, 0) != matrix->columns && !member.inputs.empty() && member.inputs[0] != FlatDiagram::none)
      refuse(width(index, 0), matrix->columns);
    if (meaning.kind != Kind::part) return;
    std::size_t all = meaning.widths.empty() ? std::max(meaning.number, width(index, 0)) : 0;
    for (const std::size_t each : meaning.widths) all += each;
    if (all != width(index, 0)) refuse(width(index, 0), all);
  }

  const FlatDiagram& flat_;
  Problems& problems_;
  std::vector<std::size_t> widths_, waiting_;
  std::vector<std::vector<std::size_t>> sources_, followers_;  ///< of members: who drives its inputs; of ports: whom they drive
};

}  // namespace

std::vector<std::size_t> diagram_widths(const FlatDiagram& flat, Problems& problems) {
  return DiagramWidths(flat, problems).widths();
}

}  // namespace sfg
