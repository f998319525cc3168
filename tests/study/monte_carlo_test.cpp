#include "sfg/study/samples/monte_carlo.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <stop_token>

#include "sfg/error.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/write/study/monte_carlo.hpp"

namespace sfg {
namespace {

SignalFlowGraph graph_of(const std::string& text) { return std::get<SignalFlowGraph>(read_toml(text, "model.toml")); }

MeasuredSystem system_of(const std::string& branches, const std::string& parameters) {
  MeasuredSystem system{graph_of("[graph]\nbranches = [" + branches + "]\n[parameters]\n" + parameters), {}, {}};
  system.question = {.input = *system.graph.find("u"), .output = *system.graph.find("y")};
  return system;
}

MeasuredSystem second_order() {
  return system_of(R"x(["u", "e", "1"], ["e", "y", "K/(s*(T*s + 1))"], ["y", "e", "-1"])x",
                   "K = { value = 2, tolerance = \"20%\" }\nT = { value = 1, tolerance = 0.3, distribution = \"normal\" }\n");
}

SampledQuestions questions_of(const MeasuredSystem& system) {
  SampledQuestions questions;
  for (const char* text : {"overshoot", "peak", "K*T"}) questions.measures.push_back(measure_of(text, system.graph.symbols));
  for (const char* text : {"overshoot < 25", "rise < 1.2"}) questions.specs.push_back(spec_of(text, system.graph.symbols));
  questions.frequency = {0.5, 1, 2};
  questions.time = {0, 1, 5};
  return questions;
}

std::string json(const MonteCarlo& found) {
  std::ostringstream out;
  write_json(out, found);
  return out.str();
}

std::string answer(const MonteCarloOptions& options) {
  const MeasuredSystem system = second_order();
  return json(monte_carlo(system, variation_of(system.graph.symbols), questions_of(system), options));
}

/// Ranks that are processes of this machine, joined by sockets.
class ForkedRanks : public Ranks {
 public:
  explicit ForkedRanks(unsigned size) : size_(size) {
    for (unsigned rank = 1; rank < size; ++rank) {
      int ends[2];
      if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) throw std::runtime_error("no sockets");
      if (::fork() == 0) {
        rank_ = rank;
        ends_ = {ends[1]};
        return;
      }
      ends_.push_back(ends[0]);
    }
  }
  unsigned rank() const override { return rank_; }
  unsigned size() const override { return size_; }
  std::vector<std::string> gathered(const std::string& said) override {
    if (rank_ != 0) return send(ends_[0], said), std::vector<std::string>();
    std::vector<std::string> all{said};
    for (const int end : ends_) all.push_back(receive(end));
    return all;
  }
  std::string broadcast(const std::string& said) override {
    if (rank_ != 0) return receive(ends_[0]);
    for (const int end : ends_) send(end, said);
    return said;
  }

 private:
  static void send(int end, const std::string& text) {
    const std::uint64_t size = text.size();
    const std::string bytes = std::string(reinterpret_cast<const char*>(&size), sizeof size) + text;
    for (std::size_t sent = 0; sent < bytes.size();)
      sent += static_cast<std::size_t>(::write(end, bytes.data() + sent, bytes.size() - sent));
  }
  static std::string receive(int end) {
    const auto exactly = [&](std::size_t size) {
      std::string bytes(size, ' ');
      for (std::size_t got = 0; got < size;) {
        const ssize_t more = ::read(end, bytes.data() + got, size - got);
        if (more <= 0) throw std::runtime_error("a rank is gone");
        got += static_cast<std::size_t>(more);
      }
      return bytes;
    };
    std::uint64_t size = 0;
    std::memcpy(&size, exactly(sizeof size).data(), sizeof size);
    return exactly(size);
  }
  unsigned rank_ = 0, size_;
  std::vector<int> ends_;
};

TEST(MonteCarlo, GivesTheSameBitsForEveryNumberOfThreads) {
  for (const Sampling sampling : {Sampling::random, Sampling::latin_hypercube, Sampling::sobol}) {
    const std::string one = answer({.samples = 3001, .sampling = sampling, .threads = 1});
    for (const unsigned threads : {2U, 3U, 5U})
      EXPECT_EQ(answer({.samples = 3001, .sampling = sampling, .threads = threads}), one)
          << to_string(sampling) << " " << threads;
  }
}

TEST(MonteCarlo, GivesTheSameBitsForEveryNumberOfRanks) {
  const std::string alone = answer({.samples = 20000});
  for (const unsigned size : {1U, 2U, 3U}) {
    ForkedRanks ranks(size);
    if (ranks.rank() != 0) {
      try {
        answer({.samples = 20000, .ranks = &ranks});
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    EXPECT_EQ(answer({.samples = 20000, .ranks = &ranks}), alone) << size;
    for (unsigned rank = 1; rank < size; ++rank) {
      int status = 1;
      ::wait(&status);
      EXPECT_EQ(status, 0);
    }
  }
}

TEST(MonteCarlo, GoesOnFromAnyStateToTheSameBits) {
  std::vector<std::string> states;
  MonteCarloOptions options{.samples = 20000, .seconds_between = 0};
  options.keep = [&](const std::string& state) { states.push_back(state); };
  const std::string whole = answer(options);
  ASSERT_GT(states.size(), 3U);
  for (const std::string& state : {states.front(), states[1], states[states.size() / 2], states.back()})
    EXPECT_EQ(answer({.samples = 20000, .resume = state}), whole);
}

TEST(MonteCarlo, RefusesTheStateOfAnotherStudy) {
  std::string kept;
  MonteCarloOptions options{.samples = 1000};
  options.keep = [&](const std::string& state) { kept = state; };
  answer(options);
  const auto message = [](const MonteCarloOptions& other) -> std::string {
    try {
      answer(other);
    } catch (const Error& error) {
      return error.diagnostics().front().message;
    }
    return "";
  };
  EXPECT_EQ(message({.samples = 1000, .seed = 2, .resume = kept}),
            "the checkpoint is of another study: the seed is 1 there and 2 here");
  EXPECT_NE(message({.samples = 1001, .resume = kept}).find("the number of samples"), std::string::npos);
  kept[kept.size() / 2] ^= 1;
  EXPECT_NE(message({.samples = 1000, .resume = kept}).find("damaged"), std::string::npos);
  EXPECT_NE(message({.samples = 1000, .resume = "x"}).find("damaged"), std::string::npos);
}

TEST(MonteCarlo, FiguresAreThoseOfItsTable) {
  const MeasuredSystem system = second_order();
  SampledQuestions questions;
  questions.measures = {measure_of("overshoot", system.graph.symbols)};
  questions.specs = {spec_of("overshoot < 25", system.graph.symbols)};
  const Variation variation = variation_of(system.graph.symbols);
  std::vector<double> values;
  MonteCarloOptions options{.samples = 30000, .seed = 4};
  options.table.text = [](const SampleBlock& block) {
    return std::string(reinterpret_cast<const char*>(block.measures.data()), block.measures.size_bytes());
  };
  options.table.put = [&](std::string_view bytes) {
    const std::size_t before = values.size();
    values.resize(before + bytes.size() / sizeof(double));
    std::memcpy(values.data() + before, bytes.data(), bytes.size());
  };
  const MonteCarlo found = monte_carlo(system, variation, questions, options);
  ASSERT_EQ(values.size(), 30000U);
  std::uint64_t met = 0;
  for (const double v : values) met += v < 25;
  EXPECT_EQ(found.specs[0].met, met);
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  std::ranges::sort(values);
  const MeasureStatistics& m = found.measures[0];
  EXPECT_EQ(m.failed, 30000 - values.size());
  EXPECT_EQ(m.minimum, values.front());
  EXPECT_EQ(m.maximum, values.back());
  for (std::size_t l = 0; l < m.quantiles.size(); ++l) {
    const double place = measure_levels[l] * static_cast<double>(values.size() - 1), part = place - std::floor(place);
    const auto rank = static_cast<std::size_t>(place);
    EXPECT_NEAR(m.quantiles[l], values[rank] + part * (values[rank + 1] - values[rank]), 1e-12 * values[rank]);
  }
}

TEST(MonteCarlo, EnvelopesAreThoseOfTheMeasuresAtTheirFrequencies) {
  // 360° are passed: a delay would do, too; here five poles and a zero in the right half plane.
  const MeasuredSystem system = system_of(R"x(["u", "y", "K*(1 - s)/(T*s + 1)^5"])x",
                                          "K = { value = 2, tolerance = 0.2 }\nT = { value = 1, tolerance = 0.3 }\n");
  const Variation variation = variation_of(system.graph.symbols);
  SampledQuestions envelope{.frequency = {0.01, 0.7, 3, 50}}, single;
  for (const char* w : {"0.01", "0.7", "3", "50"})
    for (const char* kind : {"db@", "phase@"}) single.measures.push_back(measure_of(std::string(kind) + w, system.graph.symbols));
  const MonteCarlo a = monte_carlo(system, variation, envelope, {.samples = 2000});
  const MonteCarlo b = monte_carlo(system, variation, single, {.samples = 2000});
  for (std::size_t f = 0; f < 4; ++f)
    for (const bool phase : {false, true}) {
      const Envelope& e = phase ? a.phase_deg : a.magnitude_db;
      const MeasureStatistics& m = b.measures[2 * f + phase];
      EXPECT_NEAR(e.minimum[f], m.minimum, 1e-9);
      EXPECT_NEAR(e.maximum[f], m.maximum, 1e-9);
      EXPECT_NEAR(e.quantiles[0][f], m.quantiles[1], 1e-9);
      EXPECT_NEAR(e.quantiles[1][f], m.quantiles[3], 1e-9);
      EXPECT_NEAR(e.quantiles[2][f], m.quantiles[5], 1e-9);
    }
  EXPECT_LT(a.phase_deg.minimum[3], -500);
}

// Poles and zeros on the axis, for all values of the parameters: half a turn down or up, as if they were left of it.
TEST(MonteCarlo, RootsOnTheAxisTurnEverySampleTheSameWay) {
  struct Case {
    const char* gain;
    double poles_at_one;   ///< so many real poles at −1
    double before, after;  ///< degrees without these, below and above the root at 2 rad/s
  };
  const Case cases[] = {{"K*(s^2 + a)/(s + 1)^3", 3, 0, 180},           {"-K*(s^2 + a)/(s + 1)", 1, 180, 360},
                        {"K/((s^2 + a)*(s + 1))", 1, 0, -180},          {"K*s/((s^2 + a)*(s + 1)^3)", 3, 90, -90},
                        {"K/((s^2 + 4)*(s + 1)^2)", 2, 0, -180},        {"K*(s^2 + a)/(s^2*(s + 1)^2)", 2, -180, 0},
                        {"K*(s^2 + a)/(s^2 + 100)/(s + 1)", 1, 0, 180}, {"K*(s^2 + a)^2/(s + 1)^5", 5, 0, 360}};
  for (const Case& c : cases) {
    const MeasuredSystem system = system_of(std::string("[\"u\", \"y\", \"") + c.gain + "\"]",
                                            "K = { value = 2, tolerance = 0.2 }\na = { value = 4, tolerance = 0.5 }\n");
    SampledQuestions questions{.frequency = {0.1, 1, 2.5, 3, 5}};
    questions.measures = {measure_of("phase@1", system.graph.symbols), measure_of("phase@3", system.graph.symbols)};
    const MonteCarlo found = monte_carlo(system, variation_of(system.graph.symbols), questions, {.samples = 200});
    const auto expected = [&](double w) {
      return (w < 2 ? c.before : c.after) - c.poles_at_one * std::atan(w) * 180 / std::acos(-1);
    };
    const double start = std::round((found.phase_deg.minimum[0] - expected(0.1)) / 360) * 360;  // 180° or −180°
    for (std::size_t f = 0; f < questions.frequency.size(); ++f) {
      EXPECT_NEAR(found.phase_deg.minimum[f] - start, expected(questions.frequency[f]), 1e-6) << c.gain;
      EXPECT_NEAR(found.phase_deg.maximum[f] - start, expected(questions.frequency[f]), 1e-6) << c.gain;
    }
    for (std::size_t m = 0; m < 2; ++m) {
      EXPECT_NEAR(found.measures[m].minimum - start, expected(m == 0 ? 1 : 3), 1e-6) << c.gain;
      EXPECT_NEAR(found.measures[m].maximum - start, expected(m == 0 ? 1 : 3), 1e-6) << c.gain;
    }
  }
}

TEST(MonteCarlo, SaysWhatHasNoFrequencyResponseToSample) {
  const MeasuredSystem system = system_of(R"x(["u", "y", "K/sqrt(s + 1)"])x", "K = { value = 2, tolerance = 0.2 }\n");
  EXPECT_THROW(monte_carlo(system, variation_of(system.graph.symbols), {.frequency = {1, 2}}, {.samples = 4}), NoAnswer);
}

TEST(MonteCarlo, EndsWithItsStateKept) {
  std::stop_source stop;
  std::string kept;
  MonteCarloOptions options{.samples = 10'000'000'000, .budget = Budget({}, stop.get_token())};
  options.keep = [&](const std::string& state) { kept = state; };
  options.progress = [&](std::uint64_t done, std::uint64_t) {
    if (done > 5000) stop.request_stop();
  };
  EXPECT_THROW(answer(options), Cancelled);
  EXPECT_FALSE(kept.empty());
}

TEST(MonteCarlo, SaysWhatItLacks) {
  const MeasuredSystem system = second_order();
  EXPECT_THROW(monte_carlo(system, {}, questions_of(system), {}), Error);
  EXPECT_THROW(monte_carlo(system, variation_of(system.graph.symbols), {}, {}), Error);
  EXPECT_THROW(monte_carlo(system, variation_of(system.graph.symbols), questions_of(system), {.samples = 0}), Error);
}

}  // namespace
}  // namespace sfg
