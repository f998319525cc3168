#include "sfg/read/measurement/measurement.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "sfg/read/measurement/touchstone.hpp"

namespace sfg {
namespace {

constexpr double turn = 2 * std::numbers::pi;

const MeasurableNames motion{.signals = {"y", "v(a,b)"}, .inputs = {"u"}, .axis = MeasuredAxis::time};
const MeasurableNames response{.transfers = {{"u", "y"}, {"u", "y_db"}}, .axis = MeasuredAxis::frequency};

/// "line:column message; hint" of each, or "".
std::string problems(const std::string& text, const MeasurableNames& names, MeasurementOptions options = {}) {
  try {
    read_measurement(text, "d.csv", names, options);
  } catch (const Error& error) {
    std::string all;
    for (const Diagnostic& d : error.diagnostics())
      all += fmt::format("{}:{} {}; {}\n", d.where.line, d.where.column, d.message, d.hint.text());
    return all;
  }
  return "";
}

// A table is written in a dialect drawn at random, and what is read is what was written.
struct Dialect {
  std::mt19937 random;
  char separator = ',';
  bool decimal_comma = false, quoted = false, windows = false;

  explicit Dialect(unsigned seed) : random(seed) {
    separator = std::string_view(",;\t")[random() % 3];
    decimal_comma = random() % 2;
    quoted = random() % 2;
    windows = random() % 2;
  }
  bool coin() { return random() % 2; }
  std::string cell(std::string text) {
    const bool needs = text.find(separator) != std::string::npos || text.find('"') != std::string::npos;
    if (needs || (quoted && coin())) {
      for (std::size_t k = 0; k < text.size(); ++k)
        if (text[k] == '"') text.insert(k++, "\"");
      text = '"' + text + '"';
    }
    return (coin() ? " " : "") + text + (coin() ? " " : "");
  }
  std::string number(double value) {
    std::string text = coin() ? fmt::format("{}", value) : fmt::format("{:.17e}", value);
    if (decimal_comma) std::ranges::replace(text, '.', ',');
    return cell((value > 0 && coin() ? "+" : "") + text);
  }
  std::string line(const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t k = 0; k < cells.size(); ++k) text += (k ? std::string(1, separator) : "") + cells[k];
    return text + (windows ? "\r\n" : "\n") +
           (random() % 5 == 0 ? "# a \"remark; of, one" + std::string(windows ? "\r\n" : "\n") : "") +
           (random() % 7 == 0 ? "\n" : "");
  }
  std::string capitals(std::string text) {
    for (char& c : text)
      if (coin()) c = static_cast<char>(std::toupper(c));
    return text;
  }
};

struct Column {
  std::string heading;
  std::vector<std::optional<double>> samples;
  MeasuredPart part = MeasuredPart::value;
};

std::string table(Dialect& dialect, const std::string& axis, const std::vector<double>& at, double scale,
                  std::vector<Column>& columns) {
  std::shuffle(columns.begin(), columns.end(), dialect.random);
  const std::size_t place = dialect.random() % (columns.size() + 1);
  const auto with_axis = [&](std::vector<std::string> cells, const std::string& own) {
    cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(place), own);
    return dialect.line(cells);
  };
  std::vector<std::string> headings;
  for (const Column& column : columns) headings.push_back(dialect.cell(column.heading));
  std::string text = dialect.coin() ? "\xEF\xBB\xBF" : "";
  if (dialect.random() % 4 == 0) text += std::string("sep=") + dialect.separator + "\n";
  text += with_axis(headings, dialect.cell(axis));
  for (std::size_t k = 0; k < at.size(); ++k) {
    std::vector<std::string> cells;
    for (const Column& column : columns) cells.push_back(column.samples[k] ? dialect.number(*column.samples[k]) : "");
    text += with_axis(cells, dialect.number(at[k] / scale));
  }
  if (dialect.coin()) text.pop_back();
  return text;
}

std::vector<std::optional<double>> samples(Dialect& dialect, std::size_t count) {
  std::vector<std::optional<double>> all(count);
  for (auto& sample : all)
    if (dialect.random() % 5)
      sample = std::ldexp(static_cast<double>(dialect.random()) - 2e9, static_cast<int>(dialect.random() % 60) - 50);
  return all;
}

TEST(Measurement, SignalsOverTimeAreReadBackFromEveryDialect) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Dialect dialect(seed);
    const std::size_t count = 1 + dialect.random() % 12;
    std::vector<double> at(count);
    double now = -1;
    for (double& t : at) t = now += static_cast<double>(dialect.random() % 3) / 4;
    std::vector<Column> columns{{"y", samples(dialect, count)},
                                {dialect.coin() ? "v(a,b)" : "v(a,b) [mV]", samples(dialect, count)}};
    if (dialect.coin()) columns.push_back({dialect.coin() ? "u" : "u (N m)", samples(dialect, count)});
    const auto [axis, scale] = std::vector<std::pair<std::string, double>>{
        {"t", 1}, {"time", 1}, {"time [ms]", 1.0 / 1024}, {"t(s)", 1}, {"time", 1}}[dialect.random() % 5];
    const bool milliseconds = scale != 1;
    for (Column& column : columns)  // a column without any sample is refused, of an input and of a signal
      if (std::ranges::none_of(column.samples, [](const auto& sample) { return sample.has_value(); })) column.samples.front() = 1;
    const std::string text = table(dialect, milliseconds ? axis : dialect.capitals(axis), at, scale, columns);
    const Measurement found = read_measurement(text, "d.csv", motion, {dialect.decimal_comma});
    ASSERT_EQ(found.at.size(), count) << text;
    for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(found.at[k], at[k] / scale * (milliseconds ? 1e-3 : 1), 1e-12) << text;
    for (const Column& column : columns) {
      const auto& among = column.heading.starts_with('u') ? found.inputs : found.columns;
      const auto same =
          std::ranges::find_if(among, [&](const MeasuredColumn& c) { return column.heading.starts_with(c.output); });
      ASSERT_NE(same, among.end()) << text;
      EXPECT_EQ(same->samples, column.samples) << text;
    }
  }
}

TEST(Measurement, TransferFunctionsAreReadBackFromEveryDialect) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Dialect dialect(seed);
    const std::size_t count = 1 + dialect.random() % 12;
    std::vector<double> at(count);
    for (double& w : at)
      w = std::ldexp(1 + static_cast<double>(dialect.random() % 1000), static_cast<int>(dialect.random() % 40) - 20);
    MeasurableNames names = response;
    const bool several = dialect.coin();
    if (several) names.transfers.emplace_back("v", "y");
    std::vector<Column> columns;
    const std::string name = several ? "y/v" : "y";
    if (dialect.coin()) {
      columns = {{name + "_re", samples(dialect, count), MeasuredPart::real},
                 {name + "_im", samples(dialect, count), MeasuredPart::imaginary}};
    } else {
      columns = {{dialect.coin() ? name + "_db" : name + " [dB]", samples(dialect, count), MeasuredPart::magnitude_db}};
      if (dialect.coin())
        columns.push_back({dialect.coin() ? name + "_deg" : name + " (°)", samples(dialect, count), MeasuredPart::phase_deg});
    }
    const std::size_t own = columns.size();
    columns.push_back({several ? "y_db/u_db" : "y_db_db", samples(dialect, count), MeasuredPart::magnitude_db});
    columns.push_back({columns[0].heading + "_std", columns[0].samples});
    if (columns.back().heading.find('[') != std::string::npos) columns.back().heading = name + "_std [dB]";
    for (auto& deviation : columns.back().samples)
      if (deviation) deviation = std::abs(*deviation) + 1;
    const std::vector<std::pair<std::string, double>> axes{{"f", turn},    {"f_hz", turn},   {"w", 1},
                                                           {"w_rad_s", 1}, {"f (Hz)", turn}, {"f [rad/s]", 1}};
    const auto [axis, scale] = axes[dialect.random() % axes.size()];
    const std::vector<Column> wanted(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(own) + 1);
    const auto deviations = columns.back().samples;
    const MeasuredPart spread_part = columns.front().part;
    const std::string text = table(dialect, dialect.capitals(axis), at, scale, columns);
    const Measurement found = read_measurement(text, "d.csv", names, {dialect.decimal_comma});
    ASSERT_EQ(found.at.size(), count) << text;
    ASSERT_EQ(found.columns.size(), own + 1) << text;
    for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(found.at[k], at[k], 1e-12 * at[k]) << text;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const bool other = k == own;
      const auto same = std::ranges::find_if(found.columns, [&](const MeasuredColumn& c) {
        return c.output == (other ? "y_db" : "y") && c.input == (other || !several ? "u" : "v") && c.part == wanted[k].part;
      });
      ASSERT_NE(same, found.columns.end()) << text;
      EXPECT_EQ(same->samples, wanted[k].samples) << text;
      const bool spread = !other && same->part == spread_part;
      ASSERT_EQ(same->deviations.has_value(), spread) << text;
      for (std::size_t i = 0; spread && i < count; ++i) EXPECT_EQ((*same->deviations)[i], deviations[i].value_or(0)) << text;
    }
  }
}

TEST(Measurement, ASignalMayBeCalledLikeAnAxis) {
  const MeasurableNames names{.transfers = {{"f", "w"}}, .signals = {"w", "t"}, .inputs = {"f"}};
  const Measurement motion_of_t = read_measurement("t,time,f\n1,2,3\n", "d.csv", names);
  EXPECT_EQ(motion_of_t.at, (std::vector<double>{2}));
  ASSERT_EQ(motion_of_t.columns.size(), 1u);
  EXPECT_EQ(motion_of_t.columns[0].output, "t");
  EXPECT_EQ(motion_of_t.inputs[0].output, "f");
  EXPECT_EQ(read_measurement("w_rad_s,w_db\n1,2\n", "d.csv", names).columns[0].part, MeasuredPart::magnitude_db);
  EXPECT_EQ(read_measurement("w,w_db\n1,2\n", "d.csv", names).axis, MeasuredAxis::frequency);
}

TEST(Measurement, WhatIsWrongHasItsPlace) {
  const struct {
    const char* text;
    const MeasurableNames& names;
    const char* place;
    const char* words;
  } cases[]{
      {"", motion, "1:1", "no table"},
      {"y,u\n0,1\n", motion, "1:1", "no column of times (t or time)"},
      {"0,1\n1,2\n", motion, "1:1", "write a heading above the numbers: t, y, v(a,b), u"},
      {"f,y\n0,1\n", motion, "1:1", "no column of times"},
      {"t,y\n", motion, "1:1", "no sample"},
      {"t,u\n0,1\n", motion, "1:1", "columns are of what drives the model"},
      {"t,u,q\n0,1,2\n", motion, "1:5", "columns may be t, y, v(a,b), u"},
      {"t,y,y\n0,1,2\n", motion, "1:5", "a second column"},
      {"t,y\n0,1\n1\n", motion, "3:1", "the row has 1 cell, and the heading has 2 columns"},
      {"t,y\n0,5,1\n", motion, "2:1", "decimals with a point"},
      {"t;y\n0;1,5\n", motion, "2:3", "decimal comma: '1,5'"},
      {"t;y\n0;1\n1;high\n", motion, "3:3", "not a number: 'high'"},
      {"t;y\n0;nan\n", motion, "2:3", "not a finite number"},
      {"t;y\n0;-inf\n", motion, "2:3", "not a finite number"},
      {"t;y\n0;1e999\n", motion, "2:3", "not a finite number"},
      {"t;y\n0;1\n;2\n", motion, "3:1", "without a time"},
      {"t,y\n0,1\n2,1\n1,1\n", motion, "4:1", "the time goes back"},
      {"t,y\n0,\"1\n", motion, "2:3", "never closed"},
      {"t,y\n0,\"1\"2\n", motion, "2:6", "behind the quote"},
      {"t [kg],y\n0,1\n", motion, "1:1", "the unit 'kg'"},
      {"# µ\n\"äö\",t\n0,1\n", motion, "2:1", "'äö' names nothing"},
      {"t,y,y_std\n0,1,0\n", motion, "2:5", "not above 0"},
      {"t,y,y_std\n0,1,\n", motion, "2:5", "without its deviation"},
      {"t,u,y_std\n0,1,1\n", motion, "1:5", "deviations of a column that is not there"},
      {"t,y,\n0,1,3\n", motion, "2:5", "without a name"},
      {"w,y_re\n1,2\n", response, "1:3", "add the column y_im"},
      {"w,y_im,y_db\n1,2,3\n", response, "1:3", "add the column y_re"},
      {"w,y_re,y_im,y_db\n1,2,3,4\n", response, "1:3", "the same values twice"},
      {"w,y\n1,2\n", response, "1:3", "columns may be f, f_hz, w, w_rad_s, y_db, y_deg, y_re, y_im"},
      {"w,f,y_db\n1,2,3\n", response, "1:3", "a second column of times or frequencies"},
      {"w [Hz],y_db\n1,2\n", response, "1:1", "none of this column, which is in rad/s"},
      {"w,y_db [V]\n1,2\n", response, "1:3", "in decibels"},
      {"w,y_db\n1,2\n0,3\n", response, "3:1", "not above 0"},
      {"w,y_db\n-1,2\n", response, "2:1", "not above 0"},
      {"w\n1\n", response, "1:1", "no column names what was measured"},
  };
  for (const auto& c : cases) {
    const std::string found = problems(c.text, c.names);
    EXPECT_TRUE(found.starts_with(std::string(c.place) + " ")) << c.text << found;
    EXPECT_NE(found.find(c.words), std::string::npos) << c.text << found;
  }
  EXPECT_NE(problems("t;y\n0;1.5\n", motion, {true}).find("2:3 a point"), std::string::npos);
}

/// What a heading decides of the cells below it.
TEST(Measurement, HeadingsDecideSeparatorsUnitsAndInputs) {
  const Measurement blank = read_measurement("t;y\t;u\n0;1;2\n", "d.csv", motion);  // a tab behind a name is a blank
  ASSERT_EQ(blank.columns.size(), 1U);
  EXPECT_EQ(blank.columns[0].output, "y");
  EXPECT_EQ(blank.inputs.size(), 1U);
  const MeasurableNames odd{.signals = {"a;b"}, .axis = MeasuredAxis::time};
  EXPECT_EQ(problems("t,\"a;b\"\n0,1\n", odd), "");  // in quotes it separates nothing
  EXPECT_NEAR(read_measurement("f [MHZ],y_re,y_im\n1,2,3\n", "d.csv", response).at[0], 1e6 * turn, 1e-3);
  EXPECT_NEAR(read_measurement("f [mHz],y_re,y_im\n1,2,3\n", "d.csv", response).at[0], 1e-3 * turn, 1e-12);
  const MeasurableNames several{.transfers = {{"u", "y"}, {"d", "y"}}, .axis = MeasuredAxis::frequency};
  EXPECT_NE(problems("w,y_re,y_im\n1,2,3\n", several), "");  // of which input?
  EXPECT_EQ(read_measurement("w,y/d_re,y/d_im\n1,2,3\n", "d.csv", several).columns[0].input, "d");
}

// Touchstone.

std::string keyword(Dialect& dialect, const char* text) { return dialect.capitals(text); }

TEST(Touchstone, RandomNetworksAreReadBackInEveryForm) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Dialect dialect(seed);
    const std::size_t n = 1 + dialect.random() % 4, count = 1 + dialect.random() % 6;
    const std::size_t form = dialect.random() % 3;
    const auto [unit, scale] =
        std::vector<std::pair<const char*, double>>{{"hz", 1}, {"khz", 1e3}, {"mhz", 1e6}, {"ghz", 1e9}}[dialect.random() % 4];
    const bool plain = form == 0 && scale == 1e9 && dialect.coin();  // the default
    std::string text = "! made up\n";
    if (!plain)
      text += "# " + keyword(dialect, unit) + " S " +
              keyword(dialect, form == 0   ? "ma"
                               : form == 1 ? "db"
                                           : "ri") +
              (dialect.coin() ? " R 75 ! of the cable\n" : "\n");
    const double z0 = text.find("75") == std::string::npos ? 50 : 75;
    std::vector<double> at;
    std::vector<std::vector<std::complex<double>>> rows;
    for (std::size_t k = 0; k < count; ++k) {
      at.push_back((k ? at.back() : 0) + 1 + static_cast<double>(dialect.random() % 100) / 8);
      text += fmt::format("{}", at.back());
      rows.emplace_back();
      for (std::size_t e = 0; e < n * n; ++e) {
        const std::complex<double> s = std::polar(0.1 + static_cast<double>(dialect.random() % 100) / 100,
                                                  static_cast<double>(dialect.random() % 600) / 100 - 3);
        rows.back().push_back(s);
        const double degrees = std::arg(s) * 360 / turn;
        text += form == 0   ? fmt::format(" {} {}", std::abs(s), degrees)
                : form == 1 ? fmt::format("\t{} {}", 20 * std::log10(std::abs(s)), degrees)
                            : fmt::format(" {:+} {}", s.real(), s.imag());
        if (n > 2 && e % n == n - 1 && e + 1 < n * n) text += " ! row\n  ";
      }
      text += dialect.windows ? "\r\n" : "\n";
    }
    const bool noise = n == 2 && dialect.coin();
    if (noise) text += "! noise\n1 0.5 0.3 20 0.1\n2 0.6 0.3 20 0.1\n";
    const MeasuredPorts found = read_touchstone(text, fmt::format("x.{}{}p", dialect.coin() ? 'S' : 's', n));
    EXPECT_EQ(found.z0, z0) << text;
    EXPECT_EQ(found.notes.size(), noise ? 1u : 0u) << text;
    ASSERT_EQ(found.frequency.size(), count) << text;
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_NEAR(found.frequency[k], at[k] * scale * turn, 1e-12 * found.frequency[k]);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          EXPECT_NEAR(std::abs(found.matrix[i][j][k] - rows[k][n == 2 ? j * n + i : i * n + j]), 0, 1e-12) << text;
    }
  }
}

TEST(Touchstone, TheFirstLineOfOptionsCounts) {
  const MeasuredPorts found = read_touchstone("# Hz S RI R 50\n# GHz S MA R 75\n1 0.5 0.25\n", "x.s1p");
  EXPECT_EQ(found.z0, 50);
  EXPECT_NEAR(found.frequency.at(0), turn, 1e-12);
  EXPECT_EQ(found.matrix[0][0].at(0), std::complex<double>(0.5, 0.25));
  EXPECT_EQ(found.notes.size(), 1U);
}

TEST(Touchstone, WhatIsWrongHasItsPlace) {
  const struct {
    const char* text;
    const char* place;
    const char* words;
  } cases[]{
      {"# GHz S MA R 50\n1 0.5 0 0.1 0\n", "2:1", "5 numbers where 9 numbers belong"},
      {"# Hz S MA R 50\n1 0 0 0 0 0 0 0 0\n1 0 0 0 0 0 0 0 0\n2 0 0 0 0\n", "3:1", "not above that of the line before"},
      {"# Hz S DB R 50\n1 0 0 0 0 0 0 7000 0\n", "2:1", "beyond the range of numbers"},
      {"# GHz S RI R 50\n1e305 0 0 0 0 0 0 0 0\n", "2:1", "beyond the range of numbers"},
      {"1 2 3 4 5 6 7 8 9 10\n", "1:19", "a number too many"},
      {"1 2 3 4 5 6 7 x 9\n", "1:15", "not a finite number: 'x'"},
      {"1 2 3 4 5 6 7 nan 9\n", "1:15", "not a finite number"},
      {"# GHz Z\n1 2 3 4 5 6 7 8 9\n", "1:7", "scattering"},
      {"# GHz S R\n1 2 3 4 5 6 7 8 9\n", "1:9", "missing"},
      {"# GHz S R -1\n1 2 3 4 5 6 7 8 9\n", "1:11", "not above 0"},
      {"# THz S\n1 2 3 4 5 6 7 8 9\n", "1:3", "unknown option"},
      {"[Version] 2.0\n", "1:1", "version 1"},
      {"0 2 3 4 5 6 7 8 9\n", "1:1", "not above 0"},
      {"2 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 9\n", "2:1", "not above that of the line before"},
      {"! nothing\n", "1:1", "no samples"},
  };
  for (const auto& c : cases) try {
      read_touchstone(c.text, "x.s2p");
      ADD_FAILURE() << c.text;
    } catch (const Error& error) {
      EXPECT_EQ(to_string(error.where()), std::string("x.s2p:") + c.place) << c.text << error.what();
      EXPECT_NE(std::string(error.what()).find(c.words), std::string::npos) << c.text << error.what();
    }
  EXPECT_EQ(touchstone_ports("a.s12p"), 12u);
  EXPECT_EQ(touchstone_ports("a.sp"), 0u);
  EXPECT_EQ(touchstone_ports("a.csv"), 0u);
  EXPECT_THROW(read_touchstone("1 2 3\n", "x.csv"), Error);
}

}  // namespace
}  // namespace sfg
