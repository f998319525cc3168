#include "sfg/expr/number_memory.hpp"

#include <cln/malloc.h>

#include <cstdlib>
#include <new>

namespace sfg {

namespace {

void* memory_for_numbers(std::size_t bytes) {
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void report_memory_of_numbers() { cln::malloc_hook = memory_for_numbers; }

}  // namespace sfg
