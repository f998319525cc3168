// Samples are evaluated in blocks of a fixed size, some blocks a round. Within a round every thread of every rank counts what
// comes of its blocks against the same windows; after it, rank 0 adds all up: whatever has no order in any order, sums block by
// block. So nothing depends on who evaluated what, and between rounds the whole study is one small state, which can be kept.
#include "sfg/study/samples/monte_carlo.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>

#include "sfg/error.hpp"
#include "sfg/numeric/parallel.hpp"
#include "sfg/study/measures/axis_samples.hpp"
#include "sfg/study/samples/monte_carlo_state.hpp"

namespace sfg {

std::optional<double> MonteCarlo::yield() const {
  return specs.empty() ? std::nullopt : std::optional(static_cast<double>(met) / static_cast<double>(samples));
}

namespace {

using Block = MonteCarloState::Block;
using Clock = std::chrono::steady_clock;

/// What all ranks do next.
struct Round {
  enum class Kind : std::uint8_t { evaluate, done, failed } kind = Kind::evaluate;
  std::uint64_t first = 0, blocks = 0;
  bool table = false;
  Windows windows;

  std::string packed() const {
    Packer packer;
    packer.add(static_cast<std::uint8_t>(kind));
    packer.add(first);
    packer.add(blocks);
    packer.add(static_cast<std::uint8_t>(table));
    packer.add(static_cast<std::uint64_t>(windows.size()));
    for (const OrderWindow& window : windows) {
      packer.add(window.low);
      packer.add(window.high);
    }
    return std::move(packer).bytes();
  }
  static Round unpacked(const std::string& bytes) {
    Unpacker from(bytes);
    Round round;
    round.kind = static_cast<Kind>(from.take<std::uint8_t>());
    round.first = from.take<std::uint64_t>();
    round.blocks = from.take<std::uint64_t>();
    round.table = from.take<std::uint8_t>() != 0;
    round.windows.resize(from.take<std::uint64_t>());
    for (OrderWindow& window : round.windows) {
      window.low = from.take<double>();
      window.high = from.take<double>();
    }
    return round;
  }
};

/// What came of the blocks of one rank in a round.
struct Yielded {
  std::vector<SampleTally> tallies;  ///< one a thread
  std::vector<Block> blocks;
  std::exception_ptr failure = {};

  std::string packed() const {
    Packer packer;
    packer.add(static_cast<std::uint8_t>(failure != nullptr));
    if (failure) return std::move(packer).bytes();
    packer.add(static_cast<std::uint64_t>(tallies.size()));
    for (const SampleTally& tally : tallies) tally.pack(packer);
    packer.add(static_cast<std::uint64_t>(blocks.size()));
    for (const Block& block : blocks) {
      packer.add(block.number);
      for (const Moments& m : block.moments) {
        packer.add(m.count);
        for (const double x : {m.mean, m.squares, m.minimum, m.maximum}) packer.add(x);
      }
      packer.add(block.text);
    }
    return std::move(packer).bytes();
  }
  /// Adds what another rank says. @returns false where that failed
  bool take(const std::string& bytes, const SamplePlan& plan) {
    Unpacker from(bytes);
    if (from.take<std::uint8_t>() != 0) return false;
    const auto parts = from.take<std::uint64_t>();
    for (std::uint64_t k = 0; k < parts; ++k) tallies.emplace_back(plan).unpack(from);
    const auto count = from.take<std::uint64_t>();
    for (std::uint64_t k = 0; k < count; ++k) {
      Block block{from.take<std::uint64_t>(), std::vector<Moments>(plan.alone()), {}};
      for (Moments& m : block.moments) {
        m.count = from.take<std::uint64_t>();
        for (double* x : {&m.mean, &m.squares, &m.minimum, &m.maximum}) *x = from.take<double>();
      }
      block.text = from.text();
      blocks.push_back(std::move(block));
    }
    return true;
  }
};

class SampledStudy {
 public:
  SampledStudy(const MeasuredSystem& system, const Variation& variation, const SampledQuestions& questions,
               const MonteCarloOptions& options)
      : variation_(variation),
        options_(options),
        plan_(questions, system.graph.symbols),
        program_(system, plan_.measures(), variation.names(), options.budget),
        axis_(system, variation.names(), questions.frequency, options.budget),
        points_(variation.parameters.size(), options.sampling, options.seed, options.samples),
        identity_(identity_of(system, variation, questions, options)),
        threads_(options.threads == 0 && options.ranks ? 1 : options.threads) {}

  MonteCarlo run() {
    if (options_.ranks && options_.ranks->rank() != 0) return follow();
    MonteCarloState state(plan_, usual_caution);
    try {
      if (!options_.resume.empty()) sfg::resume(options_.resume, identity_, plan_, state);
      for (;;) {
        lead(state);
        if (auto result = state.result(plan_)) {
          tell({.kind = Round::Kind::done, .windows = {}});
          return *result;
        }
        state = MonteCarloState(plan_, 2 * state.caution());  // a quantile got lost: as unlikely as 1e-9
        repeated_ = true;
      }
    } catch (...) {
      tell({.kind = Round::Kind::failed, .windows = {}});
      throw;
    }
  }

  const MeasureProgram& program() const noexcept { return program_; }

 private:
  static constexpr double usual_caution = 6;    // a normal variable is beyond once in 1e9
  static constexpr double round_seconds = 0.2;  // "Ctrl-C stops within a second"

  void tell(const Round& round) {
    if (options_.ranks) options_.ranks->broadcast(round.packed());
  }

  void keep(const MonteCarloState& state) {
    if (options_.keep) options_.keep(kept_state(identity_, state));
    kept_ = Clock::now();
  }

  void lead(MonteCarloState& state) {
    const std::uint64_t all = (options_.samples + MonteCarloState::block - 1) / MonteCarloState::block;
    const std::size_t width = plan_.numbers() + variation_.parameters.size() + 1;
    const std::uint64_t most = std::max<std::uint64_t>(8, (std::uint64_t{1} << 22) / (width * MonteCarloState::block));
    std::uint64_t size = std::min<std::uint64_t>(most, 8);  // then the windows are narrow
    keep(state);
    while (state.blocks() < all) {
      const auto start = Clock::now();
      try {
        step(state, std::min(size, all - state.blocks()));
      } catch (const Cancelled&) {
        keep(state);
        throw;
      } catch (const LimitReached&) {
        keep(state);
        throw;
      }
      const double spent = std::chrono::duration<double>(Clock::now() - start).count();
      if (spent < round_seconds / 2) size = std::min(2 * size, most);
      if (spent > round_seconds) size = std::max<std::uint64_t>(size / 2, 1);
      if (std::chrono::duration<double>(Clock::now() - kept_).count() >= options_.seconds_between || state.blocks() == all)
        keep(state);
      if (options_.progress) options_.progress(state.samples(), options_.samples);
    }
  }

  void step(MonteCarloState& state, std::uint64_t blocks) {
    const Round round{Round::Kind::evaluate, state.blocks(), blocks, options_.table.put && !repeated_, state.windows()};
    tell(round);
    Yielded yielded = evaluated(round);
    if (options_.ranks) {
      const std::vector<std::string> said = options_.ranks->gathered(std::string());
      bool all = !yielded.failure;
      for (std::size_t rank = 1; rank < said.size() && all; ++rank) all = yielded.take(said[rank], plan_);
      if (!all && !yielded.failure) throw Cancelled();
      std::ranges::sort(yielded.blocks, {}, &Block::number);
    }
    if (yielded.failure) std::rethrow_exception(yielded.failure);
    if (round.table)
      for (const Block& block : yielded.blocks) options_.table.put(block.text);
    const std::uint64_t end = std::min(options_.samples, (round.first + blocks) * MonteCarloState::block);
    state.take(yielded.tallies, yielded.blocks, end - state.samples(), threads_);
    spare_ = std::move(yielded.tallies);  // empty now, with their memory
  }

  /// Another rank than 0.
  MonteCarlo follow() {
    for (;;) {
      const Round round = Round::unpacked(options_.ranks->broadcast({}));
      if (round.kind == Round::Kind::failed) throw Cancelled();
      if (round.kind == Round::Kind::done) return {};
      options_.ranks->gathered(evaluated(round).packed());
    }
  }

  /// The blocks of this rank: one in so many as there are ranks.
  Yielded evaluated(const Round& round) {
    const std::uint64_t rank = options_.ranks ? options_.ranks->rank() : 0, ranks = options_.ranks ? options_.ranks->size() : 1;
    const std::uint64_t count = round.blocks > rank ? (round.blocks - rank + ranks - 1) / ranks : 0;
    Yielded yielded{{}, std::vector<Block>(count)};
    std::vector<std::unique_ptr<SampleTally>> tallies;
    std::mutex mutex;
    const auto worker = [&] {
      const std::lock_guard lock(mutex);
      if (spare_.empty()) spare_.emplace_back(plan_);
      SampleTally& tally = *tallies.emplace_back(std::make_unique<SampleTally>(std::move(spare_.back())));
      spare_.pop_back();
      return [this, &round, &yielded, &tally, rank, ranks, room = std::vector<double>()](std::size_t k) mutable {
        yielded.blocks[k] = block(round, round.first + rank + k * ranks, tally, room);
      };
    };
    try {
      numeric::parallel_with(count, threads_, options_.budget, "the samples", worker);
    } catch (...) {
      yielded.failure = std::current_exception();
      return yielded;
    }
    for (const auto& tally : tallies) yielded.tallies.push_back(std::move(*tally));
    return yielded;
  }

  /// @param room  memory that every block of a thread takes anew
  Block block(const Round& round, std::uint64_t number, SampleTally& tally, std::vector<double>& room) const {
    const std::uint64_t first = number * MonteCarloState::block;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(MonteCarloState::block, options_.samples - first));
    const std::size_t varying = variation_.parameters.size();
    room.resize((varying + plan_.numbers()) * size);
    const std::span<double> parameters = std::span(room).first(varying * size), values = std::span(room).subspan(varying * size);
    points_.draw(first, size, parameters);
    to_values(variation_, size, parameters);
    if (program_.size() > 0) program_.evaluate(size, parameters, values.first(program_.size() * size));
    if (!axis_.empty()) axis_.evaluate(size, parameters, values.subspan(program_.size() * size));
    tally.add(plan_, round.windows, size, values);
    Block block{number, {}, {}};
    for (std::size_t m = 0; m < plan_.alone(); ++m)
      block.moments.push_back(moments_of(values.subspan(plan_.columns()[m].number * size, size)));
    if (round.table) {
      std::vector<double> asked;
      for (std::size_t m = 0; m < plan_.alone(); ++m) {
        const auto column = values.subspan(plan_.columns()[m].number * size, size);
        asked.insert(asked.end(), column.begin(), column.end());
      }
      block.text = options_.table.text({first, size, parameters, asked});
    }
    return block;
  }

  const Variation& variation_;
  const MonteCarloOptions& options_;
  SamplePlan plan_;
  MeasureProgram program_;
  AxisSamples axis_;
  UnitPoints points_;
  Identity identity_;
  unsigned threads_;
  std::vector<SampleTally> spare_;  ///< of the round before
  bool repeated_ = false;
  Clock::time_point kept_ = Clock::now();
};

void check(const Variation& variation, const SampledQuestions& questions, const MonteCarloOptions& options) {
  if (variation.parameters.empty())
    throw Error({}, "nothing varies: no parameter has a tolerance", "state tolerance = \"5%\" for parameters of the model");
  constexpr std::uint64_t most = std::uint64_t{1} << 52;
  if (options.samples == 0 || options.samples > most)
    throw Error({}, "the number of samples is " + std::to_string(options.samples), "choose one from 1 to 2^52");
  if (questions.measures.empty() && questions.specs.empty() && questions.frequency.empty() && questions.time.empty())
    throw Error({}, "nothing is asked of the samples", "ask for measures, specs, frequencies or times");
}

}  // namespace

MonteCarlo monte_carlo(const MeasuredSystem& system, const Variation& variation, const SampledQuestions& questions,
                       const MonteCarloOptions& options) {
  check(variation, questions, options);
  SampledStudy study(system, variation, questions, options);
  MonteCarlo result = study.run();
  if (options.ranks && options.ranks->rank() != 0) return result;
  result.input = system.graph[system.question.input].name;
  result.output = system.graph[system.question.output].name;
  result.seed = options.seed;
  result.sampling = options.sampling;
  result.variation = variation;
  result.frequency = questions.frequency;
  result.time = questions.time;
  const MeasureProgram& program = study.program();
  std::vector<double> nominal(program.size());
  program.evaluate(1, program.nominal(), nominal);
  for (MeasureStatistics& statistics : result.measures)
    statistics.nominal = nominal[static_cast<std::size_t>(std::ranges::find(program.measures(), statistics.name, &Measure::text) -
                                                          program.measures().begin())];
  return result;
}

}  // namespace sfg
