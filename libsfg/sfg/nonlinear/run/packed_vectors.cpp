#include "sfg/nonlinear/run/packed_vectors.hpp"

namespace sfg {

namespace {

void pack(Packer& packer, const std::optional<double>& x) {
  packer.add(x.has_value());
  packer.add(x.value_or(0));
}
std::optional<double> unpacked_number(Unpacker& from) {
  const bool there = from.take<bool>();
  const auto x = from.take<double>();
  return there ? std::optional(x) : std::nullopt;
}

}  // namespace

void pack(Packer& packer, const std::vector<RunEvent>& events) {
  pack_each(packer, events, [&](const RunEvent& event) {
    packer.add(event.time);
    for (const std::string* text : {&event.name, &event.kind, &event.function}) packer.add(std::string_view(*text));
    packer.add(event.speed);
    packer.add(event.direction);
    pack(packer, event.before);
    pack(packer, event.after);
  });
}

std::vector<RunEvent> unpacked_events(Unpacker& from) {
  return unpacked_each<RunEvent>(from, [&] {
    RunEvent event{.time = from.take<double>()};
    for (std::string* text : {&event.name, &event.kind, &event.function}) *text = from.text();
    event.speed = from.take<double>();
    event.direction = from.take<int>();
    event.before = unpacked_number(from);
    event.after = unpacked_number(from);
    return event;
  });
}

}  // namespace sfg
