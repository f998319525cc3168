#include "sfg/draw/sheets/reduction_sheet.hpp"

#include <algorithm>

#include "sfg/draw/graph/graph_scene.hpp"
#include "sfg/draw/scene_legend.hpp"
#include "sfg/draw/set_caption.hpp"
#include "sfg/error.hpp"
#include "sfg/graph/graph_names.hpp"

namespace sfg {

namespace {

Caption listed_names(const std::vector<std::string>& names) {
  Caption text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + Caption::name(name);
  return text;
}

/// What a step did that is seen in no node that went; nothing of the others.
Caption done_beside(const Rewriting& action) {
  using Kind = Rewriting::Kind;
  const Caption nodes = listed_names(action.nodes);
  switch (action.kind) {
    case Kind::merge_parallel: return "parallel branches added: " + nodes;
    case Kind::invert: return "the path " + nodes + " inverted";
    case Kind::transpose: return "every branch turned round";
    case Kind::scale: return Caption::name(action.nodes.front()) + " scaled";
    case Kind::split: return Caption::name(action.nodes.front()) + " split";
    default: return "";
  }
}

/// What the steps from one on did, up to another.
std::vector<Caption> done_in(const Reduction& reduction, std::size_t from, std::size_t to) {
  std::vector<std::string> gone, absorbed;
  std::vector<Caption> said;
  for (std::size_t k = from; k < to; ++k) {
    const ReductionStep& step = reduction.steps[k];
    const bool split = step.action.kind == Rewriting::Kind::split;
    if (!split) gone.insert(gone.end(), step.removed_nodes.begin(), step.removed_nodes.end());
    if (step.action.kind == Rewriting::Kind::absorb)
      absorbed.insert(absorbed.end(), step.action.nodes.begin(), step.action.nodes.end());
    if (Caption other = done_beside(step.action); !other.empty()) said.push_back(std::move(other));
  }
  std::erase_if(absorbed, [&](const std::string& node) { return std::ranges::find(gone, node) != gone.end(); });
  if (!absorbed.empty())
    said.insert(said.begin(),
                Caption(absorbed.size() > 1 ? "the self-loops of " : "the self-loop of ") + listed_names(absorbed) + " absorbed");
  if (!gone.empty()) said.insert(said.begin(), "without " + listed_names(gone));
  return said;
}

/// Lines of words above a picture.
class StageSheet {
 public:
  /// @param width  that it is to have at most; 0: as wide as it comes
  StageSheet(Scene& scene, double width) : scene_(scene), least_(width > 0 ? std::min(width, usual_width) : usual_width) {}

  void add(const Drawing& drawing, std::size_t step, const Caption& said) {
    SceneGroup group{"stage", {{"step", std::to_string(step)}}, said.plain(), {}, {}, {}};
    for (const Caption& line : wrapped(said, caption_size, std::max(drawing.width, least_) - 2 * margin, 4)) {
      const double width = width_of(line, caption_size);
      scene_.height += line_height;
      width_ = std::max(width_, width + 2 * margin);
      group.words.push_back({{margin + width / 2, scene_.height - caption_size / 2}, "middle", line, caption_size});
    }
    for (SceneGroup& inner : graph_groups(drawing)) {
      shift(inner, {0, scene_.height});
      group.groups.push_back(std::move(inner));
    }
    scene_.height += drawing.height;
    width_ = std::max(width_, drawing.width);
    scene_.width = width_;
    scene_.description += said.plain() + ". " + drawing.description + " ";
    scene_.groups.push_back(std::move(group));
  }

 private:
  static constexpr double caption_size = 15, line_height = 21, margin = 24, usual_width = 400;
  Scene& scene_;
  double least_;  ///< that captions may have
  double width_ = 0;
};

}  // namespace

std::vector<ReductionStage> reduction_stages(const Reduction& reduction) {
  constexpr std::size_t most_pictures = 6, most_branches = 60;
  std::vector<ReductionStage> stages;
  const std::size_t steps = reduction.steps.size();
  std::size_t shown = 0;
  for (std::size_t k = 1; k <= steps; ++k) {
    if (steps > most_pictures && k != steps && (k - 1) % (steps / most_pictures + 1) != 0) continue;
    SignalFlowGraph stage = reduction.graph_after(k);
    if (stage.branches().size() > most_branches || stage.branches().empty()) continue;
    stages.push_back({k, std::move(stage), done_in(reduction, shown, k)});
    shown = k;
  }
  return stages;
}

Caption caption(const ReductionStage& stage, const Reduction& reduction) {
  Caption text = "After step " + std::to_string(stage.step) + " of " + std::to_string(reduction.steps.size());
  for (const Caption& done : stage.done) text += (&done == &stage.done.front() ? ": " : ", ") + done;
  return text;
}

Scene reduction_sheet(const Reduction& reduction, const LayoutOptions& options) {
  const NamesInUse names(names_of(reduction.before));
  const std::string& title = reduction.before.title;
  Scene scene{title.empty() ? "Reduction" : title + ": reduction", "", 0, 24, options.text_size, {}};
  StageSheet sheet(scene, options.width);
  sheet.add(layout(reduction.before, options), 0, "Before");
  for (const ReductionStage& stage : reduction_stages(reduction)) {
    try {
      sheet.add(layout(stage.graph, options), stage.step, caption(stage, reduction));
    } catch (const LimitReached&) {
      if (stage.step == reduction.steps.size()) throw;
    }
  }
  return scene;
}

}  // namespace sfg
