#include "sfg/model/elastic_constants.hpp"

#include <charconv>

namespace sfg {

namespace {

using Kind = ElasticConstant::Kind;

/// Takes a name apart from its front.
class NameParts {
 public:
  explicit NameParts(std::string_view text) : rest_(text) {}

  bool word(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  bool number(std::size_t& value) {
    if (rest_.empty() || rest_.front() < '1' || rest_.front() > '9') return false;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{} || value > largest) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }
  bool axis(std::size_t& value) {
    if (rest_.empty() || rest_.front() < 'x' || rest_.front() > 'z') return false;
    value = static_cast<std::size_t>(rest_.front() - 'x');
    rest_.remove_prefix(1);
    return true;
  }
  bool done() const { return rest_.empty(); }

 private:
  static constexpr std::size_t largest = 1'000'000;
  std::string_view rest_;
};

bool scan(ElasticConstant& c, std::string_view name) {
  NameParts s(name);
  switch (c.kind) {
    case Kind::mass: return s.word("mp") && s.number(c.point) && s.word("b") && s.number(c.body) && s.done();
    case Kind::place: return s.word("lp") && s.number(c.point) && s.axis(c.axis) && s.word("b") && s.number(c.body) && s.done();
    case Kind::translation:
    case Kind::rotation:
      return s.word(c.kind == Kind::translation ? "v" : "r") && s.number(c.mode) && s.word("p") && s.number(c.point) &&
             s.axis(c.axis) && s.word("b") && s.number(c.body) && s.done();
    case Kind::stiffness:
      return s.word("k") && s.number(c.point) && s.word("_") && s.number(c.mode) && s.word("b") && s.number(c.body) && s.done();
  }
  return false;
}

}  // namespace

std::string ElasticConstant::name() const {
  const auto number = [](std::size_t n) { return std::to_string(n); };
  const std::string of_body = "b" + number(body), along = std::string(1, static_cast<char>('x' + axis)) + of_body;
  switch (kind) {
    case Kind::mass: return "mp" + number(point) + of_body;
    case Kind::place: return "lp" + number(point) + along;
    case Kind::translation: return "v" + number(mode) + "p" + number(point) + along;
    case Kind::rotation: return "r" + number(mode) + "p" + number(point) + along;
    case Kind::stiffness: return "k" + number(point) + "_" + number(mode) + of_body;
  }
  return {};
}

std::optional<ElasticConstant> elastic_constant(std::string_view name) {
  for (const Kind kind : {Kind::mass, Kind::place, Kind::translation, Kind::rotation, Kind::stiffness}) {
    ElasticConstant found{.kind = kind};
    if (scan(found, name)) return found;
  }
  return std::nullopt;
}

std::vector<ElasticConstant> elastic_constants(std::size_t body, std::size_t points, std::size_t modes) {
  std::vector<ElasticConstant> result;
  for (std::size_t point = 1; point <= points; ++point) {
    result.push_back({Kind::mass, body, point, 1, 0});
    for (std::size_t axis = 0; axis < 3; ++axis) result.push_back({Kind::place, body, point, 1, axis});
    for (std::size_t mode = 1; mode <= modes; ++mode)
      for (const Kind kind : {Kind::translation, Kind::rotation})
        for (std::size_t axis = 0; axis < 3; ++axis) result.push_back({kind, body, point, mode, axis});
  }
  for (std::size_t row = 1; row <= modes; ++row)
    for (std::size_t column = 1; column <= modes; ++column) result.push_back({Kind::stiffness, body, row, column, 0});
  return result;
}

std::optional<NamedState> named_state(std::string_view name) {
  NamedState state;
  if (name.ends_with('d')) {
    state.rate = true;
    name.remove_suffix(1);
  }
  NameParts joint(name);
  if (joint.word("s") && joint.number(state.number) && joint.done()) return state;
  NameParts mode(name);
  if (mode.word("e") && mode.number(state.number) && mode.word("b") && mode.number(state.body) && mode.done()) return state;
  return std::nullopt;
}

}  // namespace sfg
