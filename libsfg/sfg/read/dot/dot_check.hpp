#pragma once
#include <atomic>

#include "sfg/read/dot/dot_scan.hpp"
#include "sfg/read/source_text.hpp"

// Not installed.
namespace sfg {

/// Holds a scan against another reader of DOT. @throws std::logic_error where they differ.
using DotCheck = void (*)(const SourceText&, const DotFile&);
/// The one that read_dot() asks; null: none.
std::atomic<DotCheck>& dot_check_in_use();

}  // namespace sfg
