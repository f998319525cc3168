#include "sfg/multibody/mechanism_signals.hpp"

#include <ginac/ginac.h>

#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "sfg/expr/parse.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

const std::set<std::string, std::less<>> properties{"x",  "y",  "z",  "vx", "vy", "vz", "wx",  "wy",    "wz",
                                                    "fx", "fy", "fz", "mx", "my", "mz", "phi", "lambda"};

/// "x( b1 )": letters, and in parentheses what has none itself.
struct Call {
  std::string property, of;
  std::size_t begin = 0, end = 0;
};

std::optional<Call> next_call(std::string_view text, std::size_t from) {
  for (std::size_t open = text.find('(', from); open != std::string_view::npos; open = text.find('(', open + 1)) {
    const std::size_t close = text.find_first_of("()", open + 1);
    if (close == std::string_view::npos) return {};
    std::size_t begin = open;
    while (begin > from && is_ascii_letter(text[begin - 1])) --begin;
    if (begin == open || text[close] != ')') continue;
    std::string_view of = text.substr(open + 1, close - open - 1);
    while (!of.empty() && is_blank_character(of.back())) of.remove_suffix(1);
    while (!of.empty() && is_blank_character(of.front())) of.remove_prefix(1);
    return Call{std::string(text.substr(begin, open - begin)), std::string(of), begin, close + 1};
  }
  return {};
}

/// The integral of a rate that is a sum of known ones, as in the plane, where angles add up.
std::optional<ex> integral_of(const ex& rate, const GiNaC::exmap& known) {
  if (rate.is_zero()) return ex(0);
  if (const auto found = known.find(rate); found != known.end()) return found->second;
  const bool product = GiNaC::is_exactly_a<GiNaC::mul>(rate) && GiNaC::is_a<GiNaC::numeric>(rate.op(rate.nops() - 1));
  if (product) {
    const ex factor = rate.op(rate.nops() - 1);
    const auto of = integral_of(rate / factor, known);
    return of ? std::optional(factor * *of) : std::nullopt;
  }
  if (!GiNaC::is_exactly_a<GiNaC::add>(rate)) return {};
  ex sum = 0;
  for (std::size_t i = 0; i < rate.nops(); ++i) {
    const auto of = integral_of(rate.op(i), known);
    if (!of) return {};
    sum += *of;
  }
  return sum;
}

/// The constant by which a body stands beside that sum, of the cosine and the sine of its angle; from a little less than -π on,
/// so that rounding does not turn a body that is turned by π.
ex beside(const ex& sum, const ex& cosine, const ex& sine) {
  const ex little = GiNaC::numeric(1, 1000), back = sum - little;
  return GiNaC::atan2(sine * GiNaC::cos(back) - cosine * GiNaC::sin(back), cosine * GiNaC::cos(back) + sine * GiNaC::sin(back)) -
         little;
}

}  // namespace

MechanismSignals::MechanismSignals(const CompiledMotion& motion) : motion_(motion), symbols_(motion.equations().motion.symbols) {
  add_motion();
  add_bodies();
  add_joints();
  const MultibodyEquations& equations = motion.equations();
  const std::array<std::pair<const char*, ex>, 3> energies{
      {{"T", equations.kinetic}, {"V", equations.potential}, {"E", equations.kinetic + equations.potential}}};
  for (const auto& [name, value] : energies)
    if (!symbols_.find(name)) meaning_[symbols_.symbol(name)] = value;
}

void MechanismSignals::add_motion() {
  const EquationsOfMotion& motion = motion_.equations().motion;
  const auto& accelerations = motion_.equations().accelerations;
  const auto add = [&](const std::string& name, const ex& value) {
    if (!symbols_.find(name)) meaning_[symbols_.symbol(name)] = value;
  };
  for (const auto& coordinate : motion.coordinates) {
    add(coordinate.name, coordinate.q);
    add("D" + coordinate.name, coordinate.rate);
    for (std::size_t j = 0; j < accelerations.size(); ++j)
      if (coordinate.rate.is_equal(motion.speeds[j].symbol)) add("DD" + coordinate.name, accelerations[j]);
  }
  for (std::size_t j = 0; j < motion.speeds.size(); ++j) {
    add(motion.speeds[j].name, motion.speeds[j].symbol);
    if (j < accelerations.size()) add("D" + motion.speeds[j].name, accelerations[j]);
  }
  for (std::size_t i = 0; i < motion.inputs.size(); ++i) add(motion.inputs[i].name, motion_.input_symbols()[i]);
  if (!symbols_.find("t")) meaning_[symbols_.symbol("t")] = motion_.time();
}

void MechanismSignals::add(const std::string& call, const ex& value) {
  placeholders_[call] = "signal" + std::to_string(placeholders_.size()) + "_";
  meaning_[symbols_.symbol(placeholders_[call])] = value;
}

void MechanismSignals::add_bodies() {
  static constexpr std::array axes{"x", "y", "z"};
  const MultibodyEquations& equations = motion_.equations();
  GiNaC::exmap known;
  for (const auto& coordinate : equations.motion.coordinates) known[coordinate.rate] = coordinate.q;
  for (const auto* definitions : {&equations.motion.definitions, &equations.definitions})
    for (const auto& definition : *definitions)
      if (const auto sum = integral_of(definition.value, known)) known[definition.symbol] = *sum;
  for (const auto& frame : equations.frames) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string of = std::string(axes[i]) + "(" + frame.body + ")";
      add(of, frame.position[i]);
      add("v" + of, frame.velocity[i]);
      add("w" + of, frame.angular_velocity[i]);
    }
    const std::string angle = "phi(" + frame.body + ")";
    // In space the direction of the first axis is no integral of a component.
    const bool in_plane = frame.angular_velocity[0].is_zero() && frame.angular_velocity[1].is_zero();
    if (const auto sum = in_plane ? integral_of(frame.angular_velocity[2], known) : std::nullopt) {
      add(angle, *sum + beside(*sum, frame.axes[0][0], frame.axes[1][0]));
    } else {
      add(angle, GiNaC::atan2(frame.axes[1][0], frame.axes[0][0]));
      turning_[angle] = frame.angular_velocity[2];
    }
  }
}

void MechanismSignals::add_joints() {
  static constexpr std::array components{"fx", "fy", "fz", "mx", "my", "mz"};
  const MultibodyEquations& equations = motion_.equations();
  for (const auto& reaction : equations.reactions)
    for (std::size_t i = 0; i < components.size(); ++i)
      add(std::string(components[i]) + "(" + reaction.joint + ")", reaction.wrench[i]);
  for (const auto& constraint : equations.motion.constraints)
    if (GiNaC::is_a<GiNaC::symbol>(constraint.multiplier)) add("lambda(" + constraint.name + ")", constraint.multiplier);
}

std::string MechanismSignals::with_placeholders(const std::string& text) const {
  std::string result;
  std::size_t end = 0;
  for (auto call = next_call(text, 0); call; call = next_call(text, call->end)) {
    const auto& [property, of, begin, behind] = *call;
    if (!properties.contains(property)) continue;
    const auto known = placeholders_.find(property + "(" + of + ")");
    if (known == placeholders_.end()) {
      std::vector<std::string> names;
      std::string list;
      for (const auto& [name, placeholder] : placeholders_)
        if (name.starts_with(property + "(")) {
          names.push_back(name);
          list += (list.empty() ? "there are " : ", ") + name;
        }
      const std::string near = nearest(property + "(" + of + ")", names);
      throw Error(SourceSpan{}, "there is no " + property + "(" + of + ") in this mechanism",
                  near.empty() ? list : "did you mean '" + near + "'?");
    }
    result.append(text, end, begin - end) += known->second;
    end = behind;
  }
  return result.append(text, end, std::string::npos);
}

MechanismSignals::Signal MechanismSignals::operator()(const std::string& text) const {
  ex value;
  try {
    value = parse_known(with_placeholders(text), symbols_);
  } catch (const Error& error) {  // the text has no place in a file
    const Diagnostic& problem = error.diagnostics().front();
    throw Error(SourceSpan{}, "signal '" + text + "': " + problem.message, problem.hint);
  }
  // What stands for something may contain what does.
  for (int i = 0; i < 3; ++i) value = value.subs(meaning_, GiNaC::subs_options::no_pattern);
  const auto angle = turning_.find(text);
  return {value, angle == turning_.end() ? ex() : angle->second};
}

}  // namespace sfg
