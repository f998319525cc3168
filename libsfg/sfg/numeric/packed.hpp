#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sfg {

// Not installed: numbers as bytes, for another process of the same program or for later.

class Packer {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add(Number value) { append(&value, sizeof value); }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add(const std::vector<Number>& list) {
    add(static_cast<std::uint64_t>(list.size()));
    append(list.data(), list.size() * sizeof(Number));
  }
  template <class Number, std::size_t size>
  requires std::is_arithmetic_v<Number>
  void add(const std::array<Number, size>& list) { append(list.data(), sizeof list); }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    append(text.data(), text.size());
  }
  std::string bytes() && { return std::move(bytes_); }

 private:
  void append(const void* from, std::size_t size) { bytes_.append(static_cast<const char*>(from), size); }
  std::string bytes_;
};

/// The same numbers in the same order. Throws std::out_of_range where there are no more.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  Number take() {
    Number value;
    std::memcpy(&value, next(sizeof value).data(), sizeof value);
    return value;
  }
  template <class Number>
  std::vector<Number> list() {
    const auto size = take<std::uint64_t>();
    if (size > rest_.size() / sizeof(Number)) throw std::out_of_range("Unpacker: the bytes end too early");
    std::vector<Number> values(size);
    if (size > 0) std::memcpy(values.data(), next(size * sizeof(Number)).data(), size * sizeof(Number));
    return values;
  }
  template <class Number, std::size_t size>
  std::array<Number, size> array() {
    std::array<Number, size> values;
    std::memcpy(values.data(), next(sizeof values).data(), sizeof values);
    return values;
  }
  std::string text() { return std::string(next(take<std::uint64_t>())); }
  bool done() const noexcept { return rest_.empty(); }

 private:
  std::string_view next(std::size_t size) {
    if (size > rest_.size()) throw std::out_of_range("Unpacker: the bytes end too early");
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }
  std::string_view rest_;
};

}  // namespace sfg
