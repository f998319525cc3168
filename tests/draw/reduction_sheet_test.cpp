// The pictures of a reduction: the graph before, then what is left, each named after what went.
#include "sfg/draw/sheets/reduction_sheet.hpp"

#include <gtest/gtest.h>

#include "sfg/read/dot.hpp"

namespace sfg {
namespace {

Reduction reduced(const char* text) { return reduce(read_dot(text, "test.dot"), {}); }

constexpr const char* feedback = R"(digraph { input="r"; output="y_s";
  r -> e; e -> y_s [gain="mu"]; y_s -> e [gain="-beta"]; })";

TEST(ReductionSheet, ShowsTheGraphAfterEachStepAndNamesWhatWent) {
  const Reduction reduction = reduced(feedback);
  const Scene scene = reduction_sheet(reduction);
  ASSERT_EQ(scene.groups.size(), 1 + reduction.steps.size());
  double below = 0;
  for (std::size_t k = 0; k < scene.groups.size(); ++k) {
    const SceneGroup& stage = scene.groups[k];
    EXPECT_EQ(stage.style, "stage");
    std::size_t nodes = 0;
    for (const SceneGroup& group : stage.groups)
      if (group.style == "node") {
        ++nodes;
        EXPECT_GT(group.shapes.at(0).points.at(0).y, below);  // below what was before
      }
    EXPECT_EQ(nodes, reduction.graph_after(k).nodes().size());
    for (const SceneGroup& group : stage.groups)
      for (const SceneShape& shape : group.shapes)
        for (const Point p : shape.points) below = std::max(below, p.y);
    EXPECT_LE(below, scene.height);
  }
  EXPECT_EQ(scene.groups[0].title, "Before");
  EXPECT_EQ(scene.groups[1].title, "After step 1 of 2: without e");
}

TEST(ReductionSheet, CaptionsSayWhatIsSeenInNoNode) {
  SignalFlowGraph graph = read_dot(feedback, "test.dot");
  const std::vector<ReductionRequest> requests{{ReductionRequest::Kind::transpose, {}, {}}};
  const Scene scene = reduction_sheet(reduce(graph, requests));
  EXPECT_NE(scene.groups.back().title.find("every branch turned round"), std::string::npos) << scene.groups.back().title;
}

TEST(ReductionSheet, IsAsNarrowAsItsPictures) {
  const Scene scene = reduction_sheet(reduced(feedback), {.width = 300});
  EXPECT_LE(scene.width, 300);
}

}  // namespace
}  // namespace sfg
