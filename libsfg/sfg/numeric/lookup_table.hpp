#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfg::numeric {

/// How a table goes between its points: by straight lines, by the natural cubic spline, by the monotone cubic of Fritsch and
/// Carlson (SIAM J. Numer. Anal. 17, 1980), which overshoots nowhere.
enum class Interpolation { linear, spline, monotone };

std::string_view name(Interpolation);  ///< "linear", "spline", "monotone"

/// A function of one number given by points. Beyond its ends it goes on straight, with the slope that it has there.
class LookupTable {
 public:
  /// @param x  increasing, at least two
  /// @throws std::invalid_argument naming the first point that is wrong.
  LookupTable(std::string name, Interpolation, std::vector<double> x, std::vector<double> y);

  const std::string& name() const noexcept { return name_; }  ///< "" where it has none
  Interpolation interpolation() const noexcept { return interpolation_; }
  std::span<const double> x() const noexcept { return x_; }
  std::span<const double> y() const noexcept { return y_; }

  /// The value, or its derivative of that order. At a knot of a linear table the slope is that of the right side.
  double value(double at, int order = 0) const;
  /// The least and the greatest value (of the derivative of that order) over [low, high], rounded outwards. The slope of a linear
  /// table over a knot has both sides; what is a jump of a derivative over a knot is unbounded in the next.
  std::pair<double, double> bounds(double low, double high, int order = 0) const;
  /// Derivatives of this order and above jump at the knots: 1 of a linear table, 2 of a monotone one, 3 of a spline.
  int first_jump() const;
  /// The number of the knot, straight between knots, from −1/2 to points − 1/2: whole at every knot.
  double knot(double at) const;

  friend bool operator==(const LookupTable&, const LookupTable&) = default;

 private:
  struct Cubic {  ///< in t = u − x_i
    double coefficient[4];
    friend bool operator==(const Cubic&, const Cubic&) = default;
  };
  void straight();
  void natural();
  void without_overshoot();
  void hermite(std::span<const double> slopes);
  std::size_t piece(double at) const;  ///< 0: before the first knot, k: after knot k − 1

  std::string name_;
  Interpolation interpolation_;
  std::vector<double> x_, y_;
  std::vector<Cubic> pieces_;  ///< as many as points and one
};

/// Tables stand in expressions and tapes by numbers, which equal tables share. Any thread may ask.
/// @throws sfg::LimitReached beyond 4096 different tables of a process.
std::size_t table_number(LookupTable);
/// @throws std::out_of_range
const LookupTable& table_of_number(std::size_t);

/// What the right operand of Operation::lookup means: table and order of the derivative, or its knots.
constexpr int derivative_orders = 7;
constexpr double lookup_code(std::size_t table, int order = 0) {
  return static_cast<double>(8 * table + static_cast<unsigned>(order));
}
constexpr int knots_of_table = 7;  ///< in place of an order: LookupTable::knot()
double looked_up(double code, double at);

}  // namespace sfg::numeric
