// Where the blocks of a Simulink model stand: layers from left to right, feedback below and turned.
#include <algorithm>

#include "sfg/export/simulink/simulink_system.hpp"

namespace sfg {

namespace {

using Kind = SimulinkBlock::Kind;

constexpr int left_margin = 40, top_margin = 40;
constexpr int between_columns = 70;
constexpr int between_rows = 45;  // room for the name under a block

class SimulinkLayout {
 public:
  explicit SimulinkLayout(const SimulinkSystem& system)
      : blocks_(system.blocks()), leaving_(blocks_.size()), entering_(blocks_.size()), layer_(blocks_.size(), 0) {
    for (const SimulinkSystem::Line& line : system.lines()) leaving_[line.from].push_back(line.to);
    drop_feedback();
    for (std::size_t k = 0; k < blocks_.size(); ++k)
      for (const std::size_t next : leaving_[k]) entering_[next].push_back(k);
    place_layers();
  }

  std::vector<SimulinkBlock> placed() {
    std::vector<std::vector<std::size_t>> columns(1 + *std::ranges::max_element(layer_));
    for (std::size_t k = 0; k < blocks_.size(); ++k) columns[layer_[k]].push_back(k);
    int left = left_margin;
    for (const std::vector<std::size_t>& column : columns) {
      int width = 0;
      for (const std::size_t k : column) width = std::max(width, width_of(blocks_[k]));
      place(column, left, width);
      left += width + between_columns;
    }
    return std::move(blocks_);
  }

 private:
  static std::size_t longest_text(const SimulinkBlock& block) {
    std::size_t longest = 0;
    for (const auto& [name, value] : block.settings)
      if (name == "Gain" || name == "Numerator" || name == "Denominator") longest = std::max(longest, value.size());
    return longest;
  }
  static int width_of(const SimulinkBlock& block) {
    switch (block.kind) {
      case Kind::inport:
      case Kind::outport: return 30;
      case Kind::sum: return 25;
      case Kind::terminator: return 20;
      case Kind::subsystem: return 150;
      default: return 40 + 6 * static_cast<int>(std::min<std::size_t>(longest_text(block), 24));
    }
  }
  static int height_of(const SimulinkBlock& block) {
    switch (block.kind) {
      case Kind::inport:
      case Kind::outport: return 14;
      case Kind::terminator: return 20;
      case Kind::sum: return std::max(30, 20 * static_cast<int>(block.inputs));
      case Kind::subsystem: return std::max(60, 30 * static_cast<int>(std::max(block.inputs, block.outputs)));
      default: return block.library == "built-in/Gain" ? 30 : 40;
    }
  }

  /// Lines that close a loop are left out; a block behind one alone is a block of feedback.
  void drop_feedback() {
    enum class State { fresh, open, done };
    std::vector<State> state(blocks_.size(), State::fresh);
    std::vector<std::size_t> next(blocks_.size(), 0), path;
    std::vector<std::vector<std::size_t>> kept(blocks_.size());
    back_.resize(blocks_.size());
    const auto visit = [&](std::size_t start) {
      if (state[start] != State::fresh) return;
      state[start] = State::open;
      path.push_back(start);
      while (!path.empty()) {
        const std::size_t k = path.back();
        if (next[k] == leaving_[k].size()) {
          state[k] = State::done;
          path.pop_back();
          continue;
        }
        const std::size_t to = leaving_[k][next[k]++];
        if (state[to] == State::open) {
          back_[k].push_back(to);
          continue;
        }
        kept[k].push_back(to);
        if (state[to] == State::fresh) {
          state[to] = State::open;
          path.push_back(to);
        }
      }
    };
    for (std::size_t k = 0; k < blocks_.size(); ++k)
      if (blocks_[k].kind == Kind::inport) visit(k);
    for (std::size_t k = 0; k < blocks_.size(); ++k) visit(k);
    leaving_ = std::move(kept);
  }

  void place_layers() {
    std::vector<std::size_t> open(blocks_.size()), ready;
    for (std::size_t k = 0; k < blocks_.size(); ++k)
      if ((open[k] = entering_[k].size()) == 0) ready.push_back(k);
    for (std::size_t i = 0; i < ready.size(); ++i)
      for (const std::size_t to : leaving_[ready[i]]) {
        layer_[to] = std::max(layer_[to], layer_[ready[i]] + 1);
        if (--open[to] == 0) ready.push_back(to);
      }
    const std::size_t last = blocks_.empty() ? 0 : *std::ranges::max_element(layer_);
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      if (blocks_[k].kind == Kind::outport) layer_[k] = last;
      if (!leaving_[k].empty() || back_[k].size() != 1 || entering_[k].size() != 1) continue;
      layer_[k] = (layer_[entering_[k][0]] + layer_[back_[k][0]]) / 2;
      blocks_[k].turned = true;
    }
  }

  double middle(std::size_t k) const { return (blocks_[k].position[1] + blocks_[k].position[3]) / 2.0; }

  /// The height of what leads into a block; feedback stands below all else.
  double wanted(std::size_t k) const {
    double sum = 0;
    std::size_t count = 0;
    for (const std::size_t before : entering_[k])
      if (layer_[before] < layer_[k]) sum += middle(before), ++count;
    return count > 0 ? sum / static_cast<double>(count) : 0;
  }

  void place(std::vector<std::size_t> column, int left, int width) {
    std::vector<double> height(blocks_.size(), 0);
    for (const std::size_t k : column) height[k] = wanted(k);
    std::ranges::stable_sort(column, [&](std::size_t a, std::size_t b) {
      return std::pair(blocks_[a].turned, height[a]) < std::pair(blocks_[b].turned, height[b]);
    });
    int top = top_margin;
    for (const std::size_t k : column) {
      const int w = width_of(blocks_[k]), h = height_of(blocks_[k]);
      top = std::max(top, static_cast<int>(height[k]) - h / 2);
      const int x = left + (width - w) / 2;
      blocks_[k].position = {x, top, x + w, top + h};
      top += h + between_rows;
    }
  }

  std::vector<SimulinkBlock> blocks_;
  std::vector<std::vector<std::size_t>> leaving_, entering_, back_;
  std::vector<std::size_t> layer_;
};

}  // namespace

void SimulinkSystem::arrange() {
  std::set<std::pair<Index, std::size_t>> used;
  for (const Line& line : lines_) used.emplace(line.from, line.output);
  for (Index k = 0, n = blocks_.size(); k < n; ++k)
    for (std::size_t output = 1; blocks_[k].kind != Kind::outport && output <= blocks_[k].outputs; ++output)
      if (!used.contains({k, output}))
        connect(k, output,
                add({.name = "end of " + blocks_[k].name, .kind = Kind::terminator, .library = "built-in/Terminator"}));
  if (!blocks_.empty()) blocks_ = SimulinkLayout(*this).placed();
  for (auto& [block, inner] : inside_) inner.arrange();
}

}  // namespace sfg
