#include "sfg/read/diagram/java_values.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace sfg {

namespace {

constexpr std::size_t most_values = 5'000'000, deepest_value = 200;

class JavaStream {
 public:
  JavaStream(std::string_view bytes, const SourceSpan& where) : bytes_(bytes), where_(where) {}

  JavaValue::Pointer object() {
    if (number(4) != 0xACED0005U) refuse();
    return content();
  }

 private:
  /// What a class says of its objects.
  struct Class {
    std::string name;
    unsigned flags = 0;
    std::string fields;  ///< their types, a letter each
    std::shared_ptr<Class> above;
  };
  /// What later parts of the stream may refer to.
  struct Known {
    JavaValue::Pointer value;
    std::shared_ptr<Class> type;
  };
  enum Flag : unsigned { own_writing = 1, serialized = 2, external = 4 };

  [[noreturn]] void refuse() const {
    throw Error(where_, "what the diagram's blocks are set to cannot be read: dictionary.ser is broken",
                "save the diagram again; Xcos of Scilab 6 writes it as text");
  }

  std::uint64_t number(std::size_t bytes) {
    if (bytes > bytes_.size() - at_) refuse();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8U | static_cast<unsigned char>(bytes_[at_++]);
    return value;
  }
  std::string text(std::size_t length) {
    if (length > bytes_.size() - at_) refuse();
    at_ += length;
    return std::string(bytes_.substr(at_ - length, length));
  }
  std::string text() { return text(static_cast<std::size_t>(number(2))); }
  Known& known() {
    const std::uint64_t index = number(4) - 0x7E0000U;
    if (index >= known_.size()) refuse();
    return known_[static_cast<std::size_t>(index)];
  }
  JavaValue::Pointer made(JavaValue::Kind kind) {
    if (++count_ > most_values) refuse();
    auto value = std::make_shared<JavaValue>();
    value->kind = kind;
    return value;
  }

  std::shared_ptr<Class> class_of() {
    if (++depth_ > deepest_value) refuse();
    std::shared_ptr<Class> type;
    switch (number(1)) {
      case 0x70: break;
      case 0x71: type = known().type; break;
      case 0x72: {
        type = std::make_shared<Class>();
        type->name = text();
        number(8);
        known_.push_back({nullptr, type});
        type->flags = static_cast<unsigned>(number(1));
        for (std::uint64_t fields = number(2); fields > 0; --fields) {
          const char letter = static_cast<char>(number(1));
          text();
          if (letter == 'L' || letter == '[') content();  // the name of its class
          type->fields += letter;
        }
        annotations(nullptr);
        type->above = class_of();
        break;
      }
      default: refuse();
    }
    --depth_;
    return type;
  }

  void annotations(JavaValue* owner) {
    while (at_ < bytes_.size() && bytes_[at_] != 0x78) {
      JavaValue::Pointer value = content();
      if (owner && value) owner->items.push_back(std::move(value));
    }
    number(1);
  }

  JavaValue::Pointer of_type(char letter) {
    static constexpr std::string_view letters = "BZCSIFJD", sizes = "11224488";
    const std::size_t found = letters.find(letter);
    if (found == std::string_view::npos) return content();
    auto value = made(JavaValue::Kind::number);
    const std::uint64_t bits = number(static_cast<std::size_t>(sizes[found] - '0'));
    value->number = letter == 'D'   ? std::bit_cast<double>(bits)
                    : letter == 'F' ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                    : letter == 'I' ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))
                                    : static_cast<double>(static_cast<std::int64_t>(bits));
    return value;
  }

  /// Nothing for block data.
  JavaValue::Pointer content() {
    if (++depth_ > deepest_value) refuse();
    JavaValue::Pointer value;
    switch (number(1)) {
      case 0x70: value = made(JavaValue::Kind::none); break;
      case 0x71:
        value = known().value;
        if (!value) refuse();
        break;
      case 0x74:
        value = made(JavaValue::Kind::text);
        value->text = text();
        known_.push_back({value, nullptr});
        break;
      case 0x75: value = array(); break;
      case 0x73: value = instance(); break;
      case 0x77: text(static_cast<std::size_t>(number(1))); break;
      case 0x7A: text(static_cast<std::size_t>(number(4))); break;
      default: refuse();
    }
    --depth_;
    return value;
  }

  JavaValue::Pointer array() {
    const std::shared_ptr<Class> type = class_of();
    if (!type || type->name.size() < 2) refuse();
    auto value = made(JavaValue::Kind::list);
    known_.push_back({value, nullptr});
    for (std::uint64_t count = number(4); count > 0; --count) {
      JavaValue::Pointer item = of_type(type->name[1]);
      if (item) value->items.push_back(std::move(item));
    }
    return value;
  }

  JavaValue::Pointer instance() {
    const std::shared_ptr<Class> type = class_of();
    if (!type) refuse();
    auto value = made(JavaValue::Kind::object);
    value->text = type->name.substr(type->name.rfind('.') + 1);
    known_.push_back({value, nullptr});
    std::vector<const Class*> chain;
    for (const Class* each = type.get(); each; each = (each->flags & external) != 0 ? nullptr : each->above.get()) {
      if (chain.size() > deepest_value) refuse();
      chain.insert(chain.begin(), each);
    }
    for (const Class* each : chain) {
      if ((each->flags & serialized) != 0) {
        for (const char letter : each->fields) of_type(letter);
        if ((each->flags & own_writing) != 0) annotations(value.get());
      } else if ((each->flags & external) != 0) {
        annotations(value.get());
      }
    }
    return value;
  }

  std::string_view bytes_;
  const SourceSpan& where_;
  std::size_t at_ = 0, depth_ = 0, count_ = 0;
  std::vector<Known> known_;
};

}  // namespace

JavaValue::Pointer java_object(std::string_view bytes, const SourceSpan& where) { return JavaStream(bytes, where).object(); }

}  // namespace sfg
