#pragma once

namespace sfg {

/// From here on CLN says by std::bad_alloc that memory has ended; its own way is an exception that nobody else knows. Of the whole
/// process: for programs, not for libraries.
void report_memory_of_numbers();

}  // namespace sfg
