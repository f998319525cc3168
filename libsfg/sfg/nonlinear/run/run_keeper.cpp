#include "sfg/nonlinear/run/run_keeper.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/numeric/packed.hpp"

namespace sfg {

namespace {

constexpr std::string_view run = "simulation run";

}  // namespace

RunKeeper::RunKeeper(const KeptRun& kept, const Identity& identity) : kept_(kept), identity_(identity) {
  if (kept.resume.empty()) return;
  const std::string bytes = state_of(kept.resume, run, identity_);
  try {
    Unpacker from(bytes);
    before_resumed_ = from.text();
    resumed_ = from.text();
  } catch (const std::out_of_range&) {
    throw Error({}, "the checkpoint is damaged", "begin the run anew");
  }
}

std::string RunKeeper::take_state() { return std::exchange(resumed_, {}); }

void RunKeeper::begin(std::string before) {
  before_ = std::move(before);
  state_ = resumed_;
  written_is_last_ = false;
}

void RunKeeper::pass(double t, double until, const std::function<std::string()>& state) {
  if (kept_.progress) kept_.progress(t, until);
  if (!kept_.keep || since(noted_) < std::min(1.0, kept_.seconds_between)) return;
  state_ = state();
  written_is_last_ = false;
  noted_ = Clock::now();
  if (since(written_) >= kept_.seconds_between) keep();
}

void RunKeeper::keep() {
  if (!kept_.keep) return;
  Packer packer;
  packer.add(std::string_view(before_));
  packer.add(std::string_view(state_));
  kept_.keep(kept_state(run, identity_, std::move(packer).bytes()));
  written_ = Clock::now();
  written_is_last_ = true;
}

void RunKeeper::finish() {
  if (!written_is_last_) keep();
}

}  // namespace sfg
