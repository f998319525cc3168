#include "sfg/multibody/elastic_points.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/multibody/aggregate_parts.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// Nodes in (0, 1) and weights of the Gauss formula of n points (Golub, Welsch 1969): exact up to degree 2n − 1.
std::vector<std::pair<double, double>> gauss(int n) {
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(n, n);
  for (int k = 1; k < n; ++k) jacobi(k, k - 1) = jacobi(k - 1, k) = k / std::sqrt(4.0 * k * k - 1);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(jacobi);
  std::vector<std::pair<double, double>> result;
  for (int k = 0; k < n; ++k) {
    const double first = solver.eigenvectors()(0, k);
    result.emplace_back((1 + solver.eigenvalues()[k]) / 2, first * first);
  }
  return result;
}

/// Shapes of a beam and their second derivatives as functions of x.
struct BeamShapes {
  const Multibody::Elastic& elastic;
  const Multibody::Elastic::Beam& beam;
  const ModelNumbers& number;

  int degree() const {
    int result = 1;
    for (const ex& shape : beam.shapes) {
      const ex expanded = shape.expand();
      if (!expanded.is_polynomial(beam.x))
        throw Error(elastic.where, "a shape of the beam is no polynomial in x",
                    {"state polynomials, or the body as points with masses"});
      result = std::max(result, expanded.degree(beam.x));
    }
    return result;
  }
  std::size_t direction(std::size_t mode) const { return beam.directions.empty() ? 1 : std::size_t(beam.directions[mode]); }
  double at(const ex& shape, double x) const { return number(shape.subs(beam.x == x), elastic.where); }
  ElasticPart::MassPoint point(double x, double mass) const {
    ElasticPart::MassPoint result{mass, {x, 0, 0}, {}};
    for (std::size_t k = 0; k < beam.shapes.size(); ++k) {
      std::array<double, 3> shape{};
      shape[direction(k)] = at(beam.shapes[k], x);
      result.shape.push_back(shape);
    }
    return result;
  }
  double curvature(std::size_t mode, double x) const {
    return at(beam.shapes[mode].diff(GiNaC::ex_to<GiNaC::symbol>(beam.x), 2), x);
  }
};

void add_beam(ElasticPoints& result, const BeamShapes& shapes, const ModelNumbers& number) {
  const Multibody::Elastic::Beam& beam = shapes.beam;
  const SourceSpan& where = shapes.elastic.where;
  const double length = number(beam.length, where), density = number(beam.rhoA, where), EI = number(beam.EI, where),
               damping = number(beam.damping, where);
  const std::size_t modes = beam.shapes.size();
  for (const auto& [node, weight] : gauss(shapes.degree() + 1)) {
    const double x = node * length;
    result.points.push_back(shapes.point(x, density * length * weight));
    for (std::size_t j = 0; j < modes; ++j)
      for (std::size_t k = 0; k < modes; ++k) {
        if (shapes.direction(j) != shapes.direction(k)) continue;
        const double bending = weight * length * EI * shapes.curvature(j, x) * shapes.curvature(k, x);
        result.stiffness[j * modes + k] += bending;
        result.damping[j * modes + k] += damping * bending;
      }
  }
  if (!beam.tip_mass.is_zero()) result.points.push_back(shapes.point(length, number(beam.tip_mass, where)));
}

}  // namespace

ElasticPoints elastic_points(const Multibody::Elastic& elastic, const ModelNumbers& number) {
  const std::size_t modes = elastic.coordinates.size();
  ElasticPoints result{{}, std::vector<double>(modes * modes), std::vector<double>(modes * modes)};
  for (const auto& stated : elastic.points) {
    ElasticPart::MassPoint point{number(stated.mass, elastic.where), number(stated.at, elastic.where), {}};
    for (const auto& mode : stated.modes) point.shape.push_back(number(mode.shape, elastic.where));
    result.points.push_back(std::move(point));
  }
  const auto take = [&](const std::vector<std::vector<ex>>& from, std::vector<double>& into) {
    for (std::size_t j = 0; j < from.size(); ++j)
      for (std::size_t k = 0; k < from[j].size(); ++k) into[j * modes + k] = number(from[j][k], elastic.where);
  };
  take(elastic.stiffness, result.stiffness);
  take(elastic.damping, result.damping);
  if (elastic.beam) add_beam(result, {elastic, *elastic.beam, number}, number);
  return result;
}

}  // namespace sfg
