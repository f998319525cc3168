#pragma once
// Calcium's headers are C, where memory needs no cast: allocations inside them convert to any pointer.
#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpz_mpoly.h>

#include <acb.h>
#include <acb_poly.h>

namespace sfg::exact {

struct AnyPointer {
  void* memory;
  template <class T>
  operator T*() const {  // NOLINT(google-explicit-constructor): that is what it is for
    return static_cast<T*>(memory);
  }
};

}  // namespace sfg::exact

#define flint_malloc(size) \
  sfg::exact::AnyPointer { (flint_malloc)(size) }
#define flint_realloc(memory, size) \
  sfg::exact::AnyPointer { (flint_realloc)(memory, size) }
#include <calcium/ca.h>
#undef flint_malloc
#undef flint_realloc
