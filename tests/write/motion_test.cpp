#include "sfg/write/motion/motion.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "model/motion_case.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {
namespace {

TEST(WriteMotion, ConstraintsAndDefinitions) {
  std::ostringstream out;
  write_text(out, page(test::constrained_pendulum()));
  EXPECT_EQ(out.str(), R"(coordinates  x, y
rates        Dx, Dy
inputs       F

Equations of motion, M q'' = f + J^T lambda
  M =  m  0
       0  m
  f =  F
       -g*m

Constraints
  square - l^2  = 0
  J =  2*x  2*y

With
  square  = x^2 + y^2
)");
}

TEST(WriteMotion, TheSameInJson) {
  std::ostringstream out;
  write_json(out, test::constrained_pendulum());
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["form"], "motion");
  EXPECT_EQ(json["F"], nlohmann::json({"F", "-g*m"}));
  EXPECT_EQ(json["constraints"], nlohmann::json({"square - l^2"}));
  EXPECT_EQ(json["jacobian"], nlohmann::json::parse(R"([["2*x", "2*y"]])"));
  EXPECT_EQ(json["substitutions"], nlohmann::json::parse(R"([["square", "x^2 + y^2"]])"));
}

TEST(WriteMotion, AFewLinesOfLatex) {
  std::ostringstream out;
  write_latex(out, page(test::constrained_pendulum()));
  EXPECT_NE(out.str().find("coordinates & $x$, $y$"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("\\mathbf{M} &= \\begin{pmatrix} m & 0"), std::string::npos) << out.str();
}

}  // namespace
}  // namespace sfg
