#include "tools/frame/memory.hpp"

#include <atomic>
#include <new>

namespace sfg::command {

namespace {

std::atomic<bool> memory_has_ended{false};

[[noreturn]] void note_end() {
  memory_has_ended = true;
  throw std::bad_alloc();
}

}  // namespace

void watch_memory() {
  memory_has_ended = false;
  std::set_new_handler(note_end);
}

void require_memory() {
  if (memory_has_ended) throw std::bad_alloc();
}

}  // namespace sfg::command
