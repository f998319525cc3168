// The program of libFuzzer for one target: SFG_FUZZ_TARGET. Without instrumentation and -fsanitize=fuzzer it is no program.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "fuzz/targets.hpp"

namespace {

constexpr sfg::fuzz::Target target_named(std::string_view name) {
  for (const sfg::fuzz::Target& target : sfg::fuzz::targets)
    if (name == target.name) return target;
  throw "there is no such target";
}

constexpr sfg::fuzz::Target target = target_named(SFG_FUZZ_TARGET);

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size > target.longest) return -1;  // not kept
  try {
    return target.run({reinterpret_cast<const char*>(bytes), size});
  } catch (const std::exception& broken) {
    std::cerr << "FOUND: " << broken.what() << '\n';
    std::abort();
  }
}
