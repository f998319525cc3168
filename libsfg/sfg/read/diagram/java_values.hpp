#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"

namespace sfg {

/// A value of a stream of Java objects (Java Object Serialization Specification, version 2): Xcos keeps in one what its blocks
/// are set to. Nothing of it is made or run; only what was written is there.
struct JavaValue {
  enum class Kind { none, text, number, list, object };
  using Pointer = std::shared_ptr<JavaValue>;

  Kind kind = Kind::none;
  std::string text = {};            ///< of an object: its class, the last part of the name
  double number = 0;                ///< of numbers and truth values
  std::vector<Pointer> items = {};  ///< of an object: its data in their order, block data apart
};

/// The object of a stream. @throws sfg::Error at `where` when it is no such stream, or too large.
JavaValue::Pointer java_object(std::string_view bytes, const SourceSpan& where);

}  // namespace sfg
