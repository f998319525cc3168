#include <ginac/ginac.h>

#include <algorithm>
#include <span>

#include "sfg/read/document/multibody_reading.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Number = GiNaC::numeric;

/// √x of a rational number x ≥ 0, in so many digits as nobody types.
Number square_root(const Number& x) {
  constexpr long digits = 40;
  const Number scale = GiNaC::ex_to<Number>(GiNaC::pow(ex(10), digits));
  return GiNaC::isqrt(GiNaC::iquo((x * scale * scale).numer(), (x * scale * scale).denom())) / scale;
}

/// Length 1 with the directions of rational components: exactly where their squares are simple fractions of the sum, as of
/// [1, 1, 0] and of decimals such as 0.7071067811865476 that stand for them.
void make_unit(std::span<ex> components, const Number& sum) {
  const Number simple = 1'000'000;
  std::vector<Number> fractions;
  for (const ex& component : components) fractions.push_back(GiNaC::ex_to<Number>(component * component / sum));
  const bool exact = std::ranges::all_of(fractions, [&](const Number& x) { return x.numer() < simple && x.denom() < simple; });
  const Number length = square_root(sum);
  for (std::size_t i = 0; i < components.size(); ++i)
    components[i] =
        exact ? GiNaC::csgn(GiNaC::ex_to<Number>(components[i])) * GiNaC::sqrt(ex(fractions[i])) : components[i] / length;
}

/// Is the expression 1 whatever its symbols are: cos(a)^2 + sin(a)^2?
bool is_one_everywhere(const ex& expression) {
  for (int trial = 1; trial <= 3; ++trial) {
    GiNaC::exmap values;
    int count = 0;
    for (GiNaC::const_preorder_iterator i = expression.preorder_begin(); i != expression.preorder_end(); ++i)
      if (GiNaC::is_a<GiNaC::symbol>(*i) && !values.contains(*i)) values[*i] = Number(3 + 7 * trial + 5 * ++count, 11 + trial);
    const ex value = (expression.subs(values, GiNaC::subs_options::no_pattern) - 1).evalf();
    constexpr double rounding = 1e-12;
    if (!GiNaC::is_a<Number>(value) || GiNaC::abs(GiNaC::ex_to<Number>(value)) > Number(rounding)) return false;
  }
  return true;
}

/// In the plane components must vanish, which those of a rotation that was computed do but for rounding.
void clear_rounding(std::span<ex> components) {
  constexpr double rounding = 1e-12;
  for (ex& component : components)
    if (GiNaC::is_a<Number>(component) && GiNaC::abs(GiNaC::ex_to<Number>(component)) < Number(rounding)) component = 0;
}

/// False where the length is 0.
bool normalise(std::span<ex> components) {
  ex sum = 0;
  for (const ex& component : components) sum += component * component;
  sum = sum.expand();
  if (sum.is_zero()) return false;
  if (sum.is_equal(1)) return true;
  if (std::ranges::all_of(components, [](const ex& x) { return x.info(GiNaC::info_flags::rational); }))
    make_unit(components, GiNaC::ex_to<Number>(sum));
  else if (!is_one_everywhere(sum))
    for (ex& component : components) component /= GiNaC::sqrt(sum);
  return true;
}

/// The quaternion of a rotation matrix of rational entries; nothing where it is none.
std::optional<std::array<ex, 4>> quaternion_of_matrix(const Multibody::Matrix3& rows) {
  const auto entry = [&](std::size_t i, std::size_t j) { return GiNaC::ex_to<Number>(rows[i][j]); };
  constexpr double typed = 1e-6;  // as few digits as somebody types
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      Number product = i == j ? -1 : 0;
      for (std::size_t k = 0; k < 3; ++k) product = product + entry(i, k) * entry(j, k);
      if (GiNaC::abs(product) > Number(typed)) return {};
    }
  const Number x = entry(1, 1) * entry(2, 2) - entry(1, 2) * entry(2, 1),
               y = entry(1, 2) * entry(2, 0) - entry(1, 0) * entry(2, 2),
               z = entry(1, 0) * entry(2, 1) - entry(1, 1) * entry(2, 0);
  if (entry(0, 0) * x + entry(0, 1) * y + entry(0, 2) * z < 0) return {};  // a reflection
  const Number trace = entry(0, 0) + entry(1, 1) + entry(2, 2);
  std::array<Number, 4> squares{1 + trace, 1 + 2 * entry(0, 0) - trace, 1 + 2 * entry(1, 1) - trace, 1 + 2 * entry(2, 2) - trace};
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(squares) - squares.begin());
  // 4 Qᵢ Qⱼ for the largest i
  const auto sum = [&](std::size_t i, std::size_t j) { return entry(i, j) + entry(j, i); };
  const auto difference = [&](std::size_t i, std::size_t j) { return entry(i, j) - entry(j, i); };
  std::array<std::array<Number, 4>, 4> products{{{squares[0], difference(2, 1), difference(0, 2), difference(1, 0)},
                                                 {difference(2, 1), squares[1], sum(0, 1), sum(0, 2)},
                                                 {difference(0, 2), sum(0, 1), squares[2], sum(1, 2)},
                                                 {difference(1, 0), sum(0, 2), sum(1, 2), squares[3]}}};
  std::array<ex, 4> quaternion;
  std::ranges::copy(products[largest], quaternion.begin());  // proportional to it
  return quaternion;
}

}  // namespace

MultibodyReading::Vector MultibodyReading::axis(const Value& value, const std::string& what) {
  if (value.kind == Value::Kind::string) {
    const Passage text = reader.document().text(value);
    const bool negative = text.text.starts_with('-');
    const std::string_view letter = std::string_view(text.text).substr(negative ? 1 : 0);
    const std::size_t index = letter.size() == 1 ? std::string_view("xyz").find(letter) : std::string_view::npos;
    Vector result{0, 0, 0};
    if (index != std::string_view::npos)
      result[index] = negative ? -1 : 1;
    else
      error(value, what + " is " + in_quotes(text.text), R"(write "x", "y", "z" or a vector ["1", "0", "0"])");
    return result;
  }
  Vector result = vector(value, what, false);
  if (model.planar) clear_rounding(result);
  if (!problems.any_errors() && !normalise(result))
    error(value, what + " has the length 0 and no direction", R"(write "x", "y", "z" or a vector ["1", "0", "0"])");
  return result;
}

Multibody::Quaternion MultibodyReading::orientation(const Value& value, const std::string& what) {
  constexpr const char* form = R"(write a quaternion ["1", "0", "0", "0"], scalar first, or the rows of a rotation matrix)";
  const Multibody::Quaternion none{1, 0, 0, 0};
  if (!reader.is_array(value, what)) return none;
  Multibody::Quaternion result = none;
  if (value.items.size() == 4) {
    for (std::size_t i = 0; i < 4; ++i) result[i] = quantity(value.items[i], what);
  } else if (value.items.size() == 3 && value.items.front().kind == Value::Kind::array) {
    Multibody::Matrix3 rows;
    const bool planar = std::exchange(model.planar, false);  // rows have three entries always
    for (std::size_t i = 0; i < 3; ++i) rows[i] = vector(value.items[i], what + ": row " + std::to_string(i + 1));
    model.planar = planar;
    const bool numbers = std::ranges::all_of(rows, [](const Vector& row) {
      return std::ranges::all_of(row, [](const ex& x) { return x.info(GiNaC::info_flags::rational); });
    });
    const auto found = numbers ? quaternion_of_matrix(rows) : std::nullopt;
    if (!found && !problems.any_errors())
      error(value,
            what + (numbers ? " is no rotation: its rows are not of length 1 and normal to each other, right-handed"
                            : " is a matrix with names in it"),
            numbers ? form : "write it as a quaternion: cos(a/2), and sin(a/2) times the axis");
    if (!found) return none;
    result = *found;
  } else {
    error(value, what + " has " + counted(value.items.size(), "entry") + ", not 4", form);
    return none;
  }
  if (problems.any_errors()) return none;
  if (model.planar) clear_rounding(result);
  if (!normalise(result)) error(value, what + " has the length 0", form);
  if (model.planar && !(result[1].is_zero() && result[2].is_zero()))
    error(value, what + " turns out of the plane, and the model is planar", R"-(write ["cos(a/2)", "0", "0", "sin(a/2)"])-");
  return result;
}

}  // namespace sfg
