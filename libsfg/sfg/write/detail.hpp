#pragma once

namespace sfg {

/// How much is said of how an answer of several parts was made and verified.
enum class Detail {
  brief,  ///< once for all
  full,   ///< of each
};

}  // namespace sfg
