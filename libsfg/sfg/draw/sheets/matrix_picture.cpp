#include "sfg/draw/sheets/matrix_picture.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>

#include "sfg/ddd/block_form.hpp"
#include "sfg/draw/graph/labels.hpp"
#include "sfg/draw/scene_legend.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/components.hpp"

namespace sfg {

MatrixTable return_difference(const SignalFlowGraph& graph) {
  MatrixTable made{graph.title, "I − A", graph.op.symbol(), {}, {}, {}, {}};
  for (const Node& node : graph.nodes()) made.rows.push_back(node.name);
  made.columns = made.rows;
  for (std::size_t i = 0; i < made.rows.size(); ++i) made.entries[{i, i}] = 1;
  for (const Branch& branch : graph.branches()) {
    if (!branch.linear())
      throw NoAnswer(
          "the branch " + graph[branch.from].name + " -> " + graph[branch.to].name + " is nonlinear: it has no entry in a matrix",
          "linearise the graph, or draw its structural diagram", branch.where);
    made.entries[{branch.to.index, branch.from.index}] -= branch.gain();
  }
  std::erase_if(made.entries, [](const auto& entry) { return vanishes(entry.second); });
  for (const std::vector<NodeId>& component : strong_components(graph)) {
    MatrixTable::Block block;
    for (const NodeId node : component) block.rows.push_back(node.index);
    block.columns = block.rows;
    made.blocks.push_back(std::move(block));
  }
  return made;
}

MatrixTable operator_matrix(const EquationSystem& system) {
  MatrixTable made{system.title, "D", system.op.symbol(), {}, {}, {}, {}};
  for (const EquationSystem::Equation& equation : system.equations) made.rows.push_back(equation.name);
  for (const EquationSystem::Unknown& unknown : system.unknowns) made.columns.push_back(unknown.name);
  std::map<std::size_t, std::size_t> column_of;
  for (std::size_t s = 0; s < system.sources.size(); ++s) {
    if (system.sources[s].kind != SourceKind::redundant) continue;
    column_of[s] = made.columns.size();
    made.columns.push_back(system.sources[s].name);
  }
  std::vector<ddd::Entry> square;
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    for (const auto& [unknown, entry] : system.equations[i].left) {
      if (vanishes(entry)) continue;
      made.entries[{i, unknown}] = entry;
      square.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(unknown)});
    }
    for (const auto& [source, entry] : system.equations[i].right)
      if (column_of.contains(source) && !vanishes(entry)) made.entries[{i, column_of.at(source)}] = -entry;
  }
  if (made.rows.size() != system.unknowns.size()) return made;
  for (const auto& block : ddd::block_form(ddd::Pattern(made.rows.size(), square)).blocks)
    made.blocks.push_back({{block.rows.begin(), block.rows.end()}, {block.columns.begin(), block.columns.end()}});
  return made;
}

namespace {

using ShapeKind = SceneShape::Kind;
constexpr double matrix_margin = 24;

class MatrixPicture {
 public:
  MatrixPicture(const MatrixTable& table, const MatrixPictureOptions& options)
      : table_(table), options_(options), written_(std::max(table.rows.size(), table.columns.size()) <= options.most_written) {
    order();
    if (written_) shorten();
    measure();
  }

  Scene scene() {
    Scene made{(table_.title.empty() ? "" : table_.title + ": ") + "matrix " + table_.letter,
               description(),
               0,
               0,
               options_.text_size,
               {}};
    made.width = left_.back() + matrix_margin;
    made.height = top_.back() + matrix_margin;
    made.groups.push_back(ground());
    names(made);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      options_.budget.check("the picture of the matrix");
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (table_.entries.contains({rows_[r], columns_[c]})) made.groups.push_back(cell(r, c));
    }
    if (table_.blocks.size() > 1) made.groups.push_back(frames());
    add_legend(made, legend_);
    return made;
  }

 private:
  /// Rows and columns in the order of the blocks; one block says nothing: then as stated.
  void order() {
    if (table_.blocks.size() > 1)
      for (const MatrixTable::Block& block : table_.blocks) {
        rows_.insert(rows_.end(), block.rows.begin(), block.rows.end());
        columns_.insert(columns_.end(), block.columns.begin(), block.columns.end());
      }
    const auto complete = [](std::vector<std::size_t>& order, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i)
        if (std::ranges::find(order, i) == order.end()) order.push_back(i);
    };
    complete(rows_, table_.rows.size());
    complete(columns_, table_.columns.size());
  }

  /// A letter that no name of the matrix begins with.
  std::string free_letter() const {
    std::set<std::string> taken(table_.rows.begin(), table_.rows.end());
    taken.insert(table_.columns.begin(), table_.columns.end());
    for (const auto& [place, entry] : table_.entries)
      for (auto at = entry.preorder_begin(); at != entry.preorder_end(); ++at)
        if (GiNaC::is_a<GiNaC::symbol>(*at)) taken.insert(GiNaC::ex_to<GiNaC::symbol>(*at).get_name());
    for (const std::string letter : {"d", "g", "w", "q", "G"})
      if (std::ranges::none_of(taken, [&](const std::string& name) { return name.starts_with(letter); })) return letter;
    return "entry";
  }

  void shorten() {
    const std::string letter = free_letter();
    std::map<std::string, Math> names;
    for (const auto& [place, entry] : table_.entries) {
      Math whole = math(entry, table_.main);
      Formula set = typeset(whole, options_.text_size);
      if (set.width > options_.widest_entry || set.height() > 3.7 * options_.text_size) {
        const bool minus = whole.is_negative();
        const Math body = minus ? Math(whole.parts[0]) : whole;
        const auto [it, fresh] =
            names.try_emplace(write(body, Notation::text), Math::name(letter + std::to_string(names.size() + 1)));
        if (fresh) legend_.emplace_back(it->second, body);
        whole = minus ? Math::negative(it->second) : it->second;
        set = typeset(whole, options_.text_size);
      }
      shown_.emplace(place, Label{std::move(whole), std::move(set), {}, false});
    }
  }

  double name_size() const { return written_ ? options_.text_size : 10; }
  void measure() {
    constexpr double mark = 12;
    double widest = 0;
    for (const std::string& name : table_.rows) widest = std::max(widest, name_label(name, name_size()).formula.width);
    left_ = {matrix_margin + widest + 12};
    top_ = {matrix_margin + (written_ ? 1.6 * options_.text_size : 20)};
    for (const std::size_t c : columns_) {
      double width = written_ ? name_label(table_.columns[c], name_size()).formula.width : mark - 14;
      if (written_)
        for (const std::size_t r : rows_)
          if (const auto it = shown_.find({r, c}); it != shown_.end()) width = std::max(width, it->second.formula.width);
      left_.push_back(left_.back() + std::max(width + 14, written_ ? 30.0 : mark));
    }
    for (const std::size_t r : rows_) {
      Formula line = strut(options_.text_size);
      if (written_)
        for (const std::size_t c : columns_)
          if (const auto it = shown_.find({r, c}); it != shown_.end()) reach(line, it->second.formula);
      baseline_.push_back(top_.back() + (written_ ? 6 + line.ascent : mark / 2));
      top_.push_back(top_.back() + (written_ ? line.height() + 12 : mark));
    }
  }

  /// What a line holds whatever stands in it: a power and an index move no other entry.
  static Formula strut(double size) { return {.ascent = 0.95 * size, .descent = 0.35 * size}; }
  static void reach(Formula& line, const Formula& entry) {
    line.ascent = std::max(line.ascent, entry.ascent);
    line.descent = std::max(line.descent, entry.descent);
  }
  /// The middle of a label whose letters stand on a baseline.
  static double middle_on(double baseline, const Label& label) {
    return baseline + (label.formula.descent - label.formula.ascent) / 2;
  }

  SceneShape box(const char* style, std::size_t r1, std::size_t c1, std::size_t r2, std::size_t c2) const {
    return {ShapeKind::box, style, {{left_[c1], top_[r1]}, {left_[c2], top_[r2]}}, 0, {}};
  }

  /// The whole table, and light lines between its rows and columns.
  SceneGroup ground() const {
    SceneGroup group{"table", {}, "", {box("table", 0, 0, rows_.size(), columns_.size())}, {}, {}};
    for (std::size_t r = 1; r < rows_.size(); ++r)
      group.shapes.push_back({ShapeKind::polyline, "grid", {{left_.front(), top_[r]}, {left_.back(), top_[r]}}, 0, {}});
    for (std::size_t c = 1; c < columns_.size(); ++c)
      group.shapes.push_back({ShapeKind::polyline, "grid", {{left_[c], top_.front()}, {left_[c], top_.back()}}, 0, {}});
    return group;
  }

  /// Of a pattern the columns are numbered as the rows stand: names would not fit.
  void names(Scene& scene) const {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const Label label = name_label(table_.rows[rows_[r]], name_size());
      const double y = written_ ? middle_on(baseline_[r], label) : baseline_[r];
      const Point at{left_.front() - 8 - label.formula.width / 2, y};
      heading(scene, {"row", table_.rows[rows_[r]]}, label, at);
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const double x = (left_[c] + left_[c + 1]) / 2;
      if (!written_ && c % 5 != 4) continue;
      const Label label = written_
                              ? name_label(table_.columns[columns_[c]], name_size())
                              : Label{Math::number(std::to_string(c + 1)), typeset_plain(std::to_string(c + 1), 10), {}, false};
      heading(scene, {"column", table_.columns[columns_[c]]}, label, {x, middle_on(top_.front() - 12, label)});
    }
  }
  void heading(Scene& scene, std::pair<std::string, std::string> data, const Label& label, Point at) const {
    std::string title = data.second;
    scene.groups.push_back(
        {"heading", {std::move(data)}, std::move(title), {}, {{centred(label.math, label.formula, at), "name", {}}}, {}});
  }

  SceneGroup cell(std::size_t r, std::size_t c) const {
    const std::pair place{rows_[r], columns_[c]};
    const std::string &row = table_.rows[place.first], &column = table_.columns[place.second];
    SceneGroup group{
        "cell",
        {{"row", row}, {"column", column}},
        row + ", " + column + ": " + with_minus_signs(write(math(table_.entries.at(place), table_.main), Notation::text)),
        {},
        {},
        {}};
    group.shapes.push_back(
        {ShapeKind::box, written_ ? "cell" : "mark", {{left_[c] + 1, top_[r] + 1}, {left_[c + 1] - 1, top_[r + 1] - 1}}, 0, {}});
    if (!written_) return group;
    const Label& label = shown_.at(place);
    const Point at{(left_[c] + left_[c + 1]) / 2, middle_on(baseline_[r], label)};
    group.texts.push_back({centred(label.math, label.formula, at), "gain", {}});
    return group;
  }

  SceneGroup frames() const {
    SceneGroup group{"blocks", {}, "", {}, {}, {}};
    std::size_t r = 0, c = 0;
    for (const MatrixTable::Block& block : table_.blocks) {
      group.shapes.push_back(box("diagonal", r, c, r + block.rows.size(), c + block.columns.size()));
      r += block.rows.size();
      c += block.columns.size();
    }
    return group;
  }

  std::string description() const {
    std::string text = "Matrix " + table_.letter + " with " + std::to_string(rows_.size()) + " rows, " +
                       std::to_string(columns_.size()) + " columns and " + std::to_string(table_.entries.size()) +
                       " entries that are not 0";
    if (table_.blocks.size() > 1)
      text += ", in block-triangular form of " + std::to_string(table_.blocks.size()) + " diagonal blocks";
    return text + ".";
  }

  const MatrixTable& table_;
  const MatrixPictureOptions& options_;
  bool written_;
  std::vector<std::size_t> rows_, columns_;  ///< in the order of the picture
  std::map<std::pair<std::size_t, std::size_t>, Label> shown_;
  std::vector<std::pair<Math, Math>> legend_;
  std::vector<double> left_, top_;  ///< of columns and rows, and the ends
  std::vector<double> baseline_;    ///< of rows; of a pattern their middles
};

}  // namespace

Scene matrix_picture(const MatrixTable& table, const MatrixPictureOptions& options) {
  constexpr std::size_t most = 400;
  if (std::max(table.rows.size(), table.columns.size()) > most)
    throw LimitReached("a matrix of " + std::to_string(table.rows.size()) +
                           " rows is more than a picture can show (limit: " + std::to_string(most) + ")",
                       Advice::reduce_graph);
  return MatrixPicture(table, options).scene();
}

}  // namespace sfg
