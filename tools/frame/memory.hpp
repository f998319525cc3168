#pragma once

namespace sfg::command {

/// Memory that ends is std::bad_alloc, but a stream of the standard library keeps that to itself: it drops what it has no room
/// for, and goes on. So it is noted that memory has ended, from this call on, and nothing is delivered after that.
void watch_memory();
/// @throws std::bad_alloc where memory has ended since the last watch_memory().
void require_memory();

}  // namespace sfg::command
