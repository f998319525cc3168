#include "sfg/write/poles.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "sfg/control/modes.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/text/words.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;
using json::number;
using json::root;
using json::text_or_null;

namespace {

/// Without a sample time the unit of time is the sample.
struct Units {
  explicit Units(const Operator& op) {
    if (op.discrete() && !op.sample_time()) rate = "rad/sample", cycles = "1/sample", time = "samples";
  }
  std::string rate = "rad/s", cycles = "Hz", time = "s";
};

Table modes_table(const PolesZeros& item, const PolesColumns& columns) {
  const Units units(item.op);
  Table table{{{words("pole"), false, 4},
               {columns.hertz ? words("f_n, " + units.cycles) : Prose{Math::name("omega_n"), ", " + units.rate}, true, 14},
               {words("damping"), true, 10},
               {words("time const., " + units.time), true, 14}},
              {},
              1};
  for (const Mode& mode : item.modes)
    for (std::size_t i = 0; i < mode.pole.multiplicity; ++i)
      table.rows.push_back({{root_math(mode.pole, columns.digits)},
                            {number_math(columns.hertz ? mode.frequency / per_hertz : mode.frequency)},
                            {number_math(mode.damping)},
                            mode.time_constant ? Prose{number_math(*mode.time_constant)} : words("-")});
  return table;
}

void add_zeros(Page& page, const std::vector<exact::Root>& zeros, std::size_t digits) {
  page.add(Paragraph{words(zeros.empty() ? "zeros: none" : "zeros:"), 1});
  for (const exact::Root& zero : zeros)
    for (std::size_t i = 0; i < zero.multiplicity; ++i) page.add(Paragraph{{root_math(zero, digits)}, 2});
}

/// "0.65", or modulus and angle where it is not real.
Prose component(std::complex<double> z) {
  constexpr double nothing = 1e-9;
  if (std::abs(z.imag()) < nothing) return {number_math(std::abs(z.real()) < nothing ? 0.0 : z.real())};
  return {number_math(std::abs(z)), " at ", number_math(std::arg(z) * 360 / per_hertz, 4), " deg"};
}

/// "oscillating, 1.2 Hz, damping 0.3: pole -1 + 7j, 2-fold with 2 shapes".
Prose mode_line(const Mode& mode, const Operator& op, std::size_t digits) {
  Prose line{std::string(name_of(kind_of(mode))) + ", ", number_math(mode.frequency / per_hertz), " " + Units(op).cycles};
  if (kind_of(mode) == ModeKind::oscillating) {
    line.emplace_back(mode.pole.on_axis ? ", undamped" : ", damping ");
    if (!mode.pole.on_axis) line.emplace_back(number_math(mode.damping));
  }
  line.emplace_back(": pole ");
  line.emplace_back(root_math(mode.pole, digits));
  if (mode.pole.multiplicity > 1)
    line.emplace_back(
        fmt::format(", {}-fold with {} shape{}", mode.pole.multiplicity, mode.shapes.size(), mode.shapes.size() == 1 ? "" : "s"));
  return line;
}

/// One of a pair stands for both.
void add_shapes(Page& page, const PolesZeros& item, const PolesColumns& columns) {
  page.add(Paragraph{words("modes:"), 1});
  for (const Mode& mode : item.modes) {
    if (mode.pole.value.imag() < 0) continue;
    page.add(Paragraph{mode_line(mode, item.op, columns.digits), 2});
    for (std::size_t k = 0; k < mode.shapes.size(); ++k) {
      if (k > 0) page.add(Gap{});
      Table shape{{{}, {}}, {}, 3, false};
      for (std::size_t i = 0; i < item.signals.size(); ++i)
        shape.rows.push_back({{Math::signal(item.signals[i])}, component(mode.shapes[k][i])});
      page.add(std::move(shape));
    }
  }
}

/// Of the i-th pole of a multiple one; where there are fewer shapes than poles, the last of them again.
void add_shape(Json& json, const Mode& mode, const std::vector<std::string>& signals, std::size_t i) {
  json["frequency_hz"] = number(mode.frequency / per_hertz);
  json["kind"] = name_of(kind_of(mode));
  Json shape = Json::object();
  for (std::size_t k = 0; k < signals.size(); ++k)
    shape[signals[k]] = json::complex(mode.shapes[std::min(i, mode.shapes.size() - 1)][k]);
  json["shape"] = std::move(shape);
}

bool decays(const Mode& mode) { return mode.time_constant && *mode.time_constant >= 0; }
/// What is infinite has no number in a table.
std::string pole_cell(double value) { return std::isfinite(value) ? print(value) : std::string(); }

/// Several poles on the axis make a model that is not stable, but neither does it grow where these oscillate.
std::string pole_verdict(const PolesZeros& item) {
  if (item.stable)
    return std::ranges::all_of(item.hidden, decays) ? "stable" : "stable as a transfer function; a hidden mode is not stable";
  if (!item.undamped) return "not stable";
  const bool rigid = std::ranges::any_of(item.modes, [](const Mode& mode) { return kind_of(mode) == ModeKind::rigid; });
  return std::string("undamped") + (rigid ? ", with rigid motion" : "");
}

/// Irrational ones, which are known to 120 digits, as doubles.
std::vector<exact::Rational> shown_coefficients(const exact::RationalPolynomial& p) {
  constexpr std::size_t long_number = 90;
  std::vector<exact::Rational> result = p.coefficients();
  for (exact::Rational& c : result)
    if (c.text().size() > long_number) c = decimal_rational(c.to_double());
  return result;
}

Math signed_number(const std::string& text) {
  return text.starts_with('-') ? Math::negative(Math::number(text.substr(1))) : Math::number(text);
}

Math entry_math(const std::pair<exact::RationalPolynomial, exact::RationalPolynomial>& entry, const std::string& variable) {
  Math above = polynomial_math(shown_coefficients(entry.first), variable);
  if (entry.second.degree() == 0) return above;
  return Math::quotient(std::move(above), polynomial_math(shown_coefficients(entry.second), variable));
}

}  // namespace

Page page(std::span<const PolesZeros> all, const PolesColumns& columns, const TransmissionZeros* matrix) {
  const std::size_t digits = columns.digits;
  Page page;
  for (const PolesZeros& item : all) {
    const bool of_transfer = !item.output.empty();
    if (of_transfer) page.add(Paragraph{{Math::relation(Math::signal(item.input), "→", Math::signal(item.output))}});
    if (item.modes.empty())
      page.add(Paragraph{words(of_transfer ? "poles: none" : "poles: none, nothing moves of itself"), 1});
    else
      page.add(modes_table(item, columns));
    if (!item.signals.empty()) add_shapes(page, item, columns);
    if (of_transfer) {
      add_zeros(page, item.zeros, digits);
      page.add(Paragraph{{"gain: ", rational_math(*item.gain)}, 1});
      if (item.dc_gain) page.add(Paragraph{{"DC gain: ", rational_math(*item.dc_gain)}, 1});
      if (!item.dead_time.is_zero()) page.add(Paragraph{{"with a dead time of ", rational_math(item.dead_time), " s"}, 1});
    }
    if (!item.hidden.empty()) {
      page.add(Paragraph{words("hidden modes (cancelled in this transfer function):"), 1});
      for (const Mode& mode : item.hidden)
        page.add(Paragraph{{root_math(mode.pole, digits), decays(mode) ? "" : "   warning: not stable"}, 2});
    }
    if (of_transfer || !item.modes.empty()) page.add(Paragraph{words(pole_verdict(item)), 1});
  }
  if (matrix != nullptr) add_matrix_zeros(page, *matrix, digits);
  return page;
}

void write_json(std::ostream& out, std::span<const PolesZeros> all, const PolesColumns& columns,
                const TransmissionZeros* matrix) {
  const std::size_t digits = columns.digits;
  const auto object = [digits](const PolesZeros& item) {
    Json j;
    Json poles = Json::array(), zeros = Json::array(), modes = Json::array(), hidden = Json::array();
    for (const Mode& mode : item.modes)
      for (std::size_t i = 0; i < mode.pole.multiplicity; ++i) {
        poles.push_back(root(mode.pole, digits));
        modes.push_back({{"pole", root(mode.pole, digits)},
                         {"frequency", number(mode.frequency)},
                         {"damping", mode.damping},
                         {"time_constant", number(mode.time_constant)}});
        if (!mode.shapes.empty()) add_shape(modes.back(), mode, item.signals, i);
      }
    for (const exact::Root& zero : item.zeros)
      for (std::size_t i = 0; i < zero.multiplicity; ++i) zeros.push_back(root(zero, digits));
    for (const Mode& mode : item.hidden)
      for (std::size_t i = 0; i < mode.pole.multiplicity; ++i) hidden.push_back(root(mode.pole, digits));
    if (!item.output.empty()) j["input"] = item.input, j["output"] = item.output;
    j["poles"] = std::move(poles);
    j["zeros"] = std::move(zeros);
    j["gain"] = text_or_null(item.gain);
    j["dc_gain"] = text_or_null(item.dc_gain);
    j["modes"] = std::move(modes);
    j["hidden"] = std::move(hidden);
    if (!item.dead_time.is_zero()) j["dead_time"] = item.dead_time.text();
    j["stable"] = item.stable;
    return j;
  };
  Json j{{"schema", "sfg/poles/1"}, {"variable", all.empty() ? "s" : all.front().op.symbol()}};
  if (!all.empty()) j.update(object(all.front()));
  if (all.size() > 1) {
    j["transfers"] = Json::array();
    for (const PolesZeros& item : all) j["transfers"].push_back(object(item));
  }
  if (matrix != nullptr) add_matrix_zeros(j, *matrix, digits);
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, std::span<const PolesZeros> all, const PolesColumns& columns, const TransmissionZeros* matrix) {
  const bool of_transfers = !all.empty() && !all.front().output.empty();
  const Units units(all.empty() ? Operator() : all.front().op);
  out << fmt::format("{}root,re,im,\"{}\",damping,\"time constant {}\"\n", of_transfers ? "input,output," : "",
                     columns.hertz ? "f_n " + units.cycles : "omega_n " + units.rate, units.time);
  const auto row = [&](const PolesZeros& item, const char* kind, const exact::Root& r, const std::string& rest) {
    const auto text = [&](const exact::Rational& exact, double value) {
      return columns.digits > 17 ? decimal(exact, columns.digits) : pole_cell(value);
    };
    for (std::size_t i = 0; i < r.multiplicity; ++i) {
      if (of_transfers) out << quoted_field(item.input) << ',' << quoted_field(item.output) << ',';
      out << kind << ',' << (r.on_axis && !item.op.discrete() ? "0" : text(r.real, r.value.real())) << ','
          << (r.is_real ? "0" : text(r.imaginary, r.value.imag())) << rest << '\n';
    }
  };
  const auto add = [&](const PolesZeros& item, const char* kind, const std::vector<Mode>& modes) {
    for (const Mode& mode : modes)
      row(item, kind, mode.pole,
          ',' + pole_cell(columns.hertz ? mode.frequency / per_hertz : mode.frequency) + ',' + pole_cell(mode.damping) + ',' +
              (mode.time_constant ? pole_cell(*mode.time_constant) : ""));
  };
  for (const PolesZeros& item : all) {
    add(item, "pole", item.modes);
    add(item, "hidden", item.hidden);
    for (const exact::Root& zero : item.zeros) row(item, "zero", zero, ",,,");
  }
  if (matrix == nullptr || !matrix->open.empty()) return;
  PolesZeros whole;
  whole.op = matrix->op;
  for (const exact::Root& zero : matrix->zeros) row(whole, "transmission zero", zero, ",,,");
}

Math root_math(const exact::Root& r, std::size_t digits) {
  const auto text = [&](const exact::Rational& exact, double value) {
    return digits > 17 ? decimal(exact, digits) : fmt::format("{:.10g}", value);
  };
  if (r.is_real) return signed_number(text(r.real, r.value.real()));
  Math imaginary = Math::number(text(r.imaginary.abs(), std::abs(r.value.imag())) + "j");
  return Math::sum({r.on_axis && digits <= 17 ? Math::number("0") : signed_number(text(r.real, r.value.real())),
                    r.imaginary.sign() < 0 ? Math::negative(std::move(imaginary)) : std::move(imaginary)});
}

void add_matrix_zeros(Page& page, const TransmissionZeros& matrix, std::size_t digits) {
  const std::size_t rows = matrix.outputs.size(), columns = matrix.inputs.size(), rank = matrix.smith_mcmillan.size();
  page.add(Paragraph{words(fmt::format("the matrix of all of them, {} outputs by {} inputs, as one:", rows, columns))});
  if (!matrix.open.empty()) {
    page.add(Paragraph{words("transmission zeros: not known; " + matrix.open), 1});
  } else {
    page.add(Paragraph{words("Smith-McMillan form, entries of its diagonal:"), 1});
    for (const auto& entry : matrix.smith_mcmillan) page.add(Paragraph{{entry_math(entry, matrix.op.symbol())}, 2});
    for (std::size_t i = rank; i < std::min(rows, columns); ++i) page.add(Paragraph{{Math::number("0")}, 2});
    if (matrix.dead_time) page.add(Paragraph{words("without the dead times, which are of whole inputs and outputs"), 1});
    page.add(Paragraph{words(fmt::format("McMillan degree: {}", matrix.degree)), 1});
    if (matrix.singular())
      page.add(
          Paragraph{words(fmt::format("singular for all {}: the rank is {}, not {}; of the outputs only {} can be chosen at will",
                                      matrix.op.symbol(), rank, std::min(rows, columns), rank)),
                    1});
    page.add(Paragraph{words(matrix.zeros.empty() ? "transmission zeros: none" : "transmission zeros:"), 1});
    for (const exact::Root& zero : matrix.zeros)
      for (std::size_t i = 0; i < zero.multiplicity; ++i) page.add(Paragraph{{root_math(zero, digits)}, 2});
  }
  page.add(Paragraph{words("zeros of single entries are not those of the matrix"), 1});
}

void add_matrix_zeros(json::Json& json, const TransmissionZeros& matrix, std::size_t digits) {
  if (!matrix.open.empty()) {
    json["transmission_zeros"] = json["smith_mcmillan"] = nullptr;
    json["transmission_zeros_open"] = matrix.open;
    return;
  }
  json::Json zeros = json::Json::array(), form = json::Json::array();
  for (const exact::Root& zero : matrix.zeros)
    for (std::size_t i = 0; i < zero.multiplicity; ++i) zeros.push_back(json::root(zero, digits));
  for (const auto& [n, d] : matrix.smith_mcmillan)
    form.push_back(
        {polynomial_text(shown_coefficients(n), matrix.op.symbol()), polynomial_text(shown_coefficients(d), matrix.op.symbol())});
  json["transmission_zeros"] = std::move(zeros);
  json["smith_mcmillan"] = std::move(form);
  json["mcmillan_degree"] = matrix.degree;
  if (matrix.dead_time) json["without_dead_times"] = true;
}

}  // namespace sfg
