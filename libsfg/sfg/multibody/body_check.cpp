#include <ginac/ginac.h>

#include <algorithm>
#include <optional>

#include "sfg/multibody/constraint_check.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using GiNaC::ex;

constexpr double rounding = 1e-9;

std::string number(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", value);
  return digits;
}

class BodyCheck {
 public:
  explicit BodyCheck(const Multibody& model) : model_(model), values_(model.symbols.values()) {}

  std::vector<Diagnostic> problems() {
    for (const auto& body : model_.bodies) {
      const std::string what = "body '" + body.name + "'";
      mass(body.mass, "the mass of " + what, body.where);
      inertia(body.inertia, "the inertia of " + what, body.where);
    }
    for (const auto& particle : model_.particles)
      mass(particle.mass, "the mass of particle '" + particle.name + "'", particle.where, true);
    for (const auto& wheel : model_.flywheels) flywheel(wheel);
    for (const auto& elastic : model_.elastic) deformation(elastic);
    return std::move(found_);
  }

 private:
  void problem(const SourceSpan& where, std::string message, const char* hint, Severity severity = Severity::error) {
    found_.push_back({where, std::move(message), hint, severity});
  }

  std::optional<double> value(const ex& expression) const {
    const ex result = expression.subs(values_, GiNaC::subs_options::no_pattern).evalf();
    if (!GiNaC::is_a<GiNaC::numeric>(result) || !GiNaC::ex_to<GiNaC::numeric>(result).is_real()) return {};
    return GiNaC::ex_to<GiNaC::numeric>(result).to_double();
  }

  template <class Rows>
  std::optional<MatrixXd> matrix(const Rows& rows) const {
    MatrixXd result(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows.size(); ++j) {
        const auto entry = value(rows[i][j]);
        if (!entry) return {};
        result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = *entry;
      }
    return result;
  }

  void mass(const ex& mass, const std::string& what, const SourceSpan& where, bool positive = false) {
    const auto known = value(mass);
    if (known && (*known < 0 || (positive && *known == 0))) problem(where, what + " is " + number(*known), "a mass is above 0");
  }

  /// Principal moments of a body: none negative, none above the sum of the others. In the plane that about z alone counts.
  void inertia(const Multibody::Matrix3& rows, const std::string& what, const SourceSpan& where) {
    const auto known = matrix(rows);
    if (!known) return;
    if (model_.planar) {
      if ((*known)(2, 2) < 0)
        problem(where, what + " is " + number((*known)(2, 2)) + " about z", "a moment of inertia is not negative");
      return;
    }
    const VectorXd moments = Eigen::SelfAdjointEigenSolver<MatrixXd>(*known).eigenvalues();  // ascending
    const double scale = moments.cwiseAbs().maxCoeff();
    const std::string list = number(moments[0]) + ", " + number(moments[1]) + ", " + number(moments[2]);
    if (moments[0] < -rounding * scale)
      problem(where, what + " is that of no body: its principal moments are " + list, "moments of inertia are not negative");
    else if (moments[2] > (1 + rounding) * (moments[0] + moments[1]))
      problem(where,
              what + " is that of no body: of its principal moments " + list + " the largest is above the sum of the others",
              "a principal moment is at most the sum of the other two (a flat plate): look at units and products of inertia");
  }

  void flywheel(const Multibody::Flywheel& wheel) {
    const std::string what = "flywheel '" + wheel.name + "'";
    const auto axial = value(wheel.inertia);
    if (axial && *axial <= 0)
      problem(wheel.where, "the inertia of " + what + " is " + number(*axial), "a moment of inertia is above 0");
    mass(wheel.case_mass, "the mass of the case of " + what, wheel.where);
    inertia(wheel.case_inertia, "the inertia of the case of " + what, wheel.where);
    ex along = 0;
    bool stated = false;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        along += wheel.axis[i] * wheel.case_inertia[i][j] * wheel.axis[j];
        stated = stated || !wheel.case_inertia[i][j].is_zero();
      }
    const auto locked = value(along);
    if (stated && axial && locked && *locked < (1 - rounding) * *axial)
      problem(wheel.where,
              "the case of " + what + " has an inertia of " + number(*locked) + " about the axis, less than its wheel (" +
                  number(*axial) + ")",
              "case.inertia is that of case and locked wheel together");
  }

  void deformation(const Multibody::Elastic& elastic) {
    const std::string what = "elastic body '" + model_.name_of(elastic.body) + "'";
    const auto definite = [&](const std::vector<std::vector<ex>>& rows, const char* name, const char* hint) {
      const auto known = matrix(rows);
      if (!known || known->size() == 0) return;
      const MatrixXd symmetric = (*known + known->transpose()) / 2;
      if ((*known - symmetric).cwiseAbs().maxCoeff() > rounding * known->cwiseAbs().maxCoeff())
        problem(elastic.where, std::string("the ") + name + " of " + what + " is not symmetric",
                "write the same entry on both sides of the diagonal");
      const double least = Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric).eigenvalues()[0];
      if (least < -rounding * symmetric.cwiseAbs().maxCoeff())
        problem(elastic.where,
                std::string("the ") + name + " of " + what + " is negative for some deformation (" + number(least) + ")", hint);
    };
    definite(elastic.stiffness, "stiffness", "a stiffness matrix is positive: deforming takes work");
    definite(elastic.damping, "damping", "a damping matrix is not negative: it takes energy out");
    for (const auto& point : elastic.points) mass(point.mass, "a mass of " + what, elastic.where);
    if (!elastic.beam) return;
    const auto positive = [&](const ex& expression, const char* name) {
      const auto known = value(expression);
      if (known && *known <= 0)
        problem(elastic.where, std::string("the ") + name + " of " + what + " is " + number(*known), "it is above 0");
    };
    positive(elastic.beam->length, "length");
    positive(elastic.beam->EI, "bending stiffness EI");
    positive(elastic.beam->rhoA, "mass by length rhoA");
    mass(elastic.beam->tip_mass, "the tip mass of " + what, elastic.where);
  }

  const Multibody& model_;
  const GiNaC::exmap values_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> body_problems(const Multibody& model) { return BodyCheck(model).problems(); }

void require_possible(const Multibody& model) {
  if (std::vector<Diagnostic> problems = body_problems(model); !problems.empty()) throw Error(std::move(problems));
}

}  // namespace sfg
