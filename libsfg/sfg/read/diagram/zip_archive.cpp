#include "sfg/read/diagram/zip_archive.hpp"

#include <zlib.h>

#include <algorithm>

#include "sfg/read/source_text.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_files = 10'000;
constexpr std::size_t end_record = 22, central_record = 46, local_record = 30, longest_remark = 65'535;

}  // namespace

bool ZipArchive::is_archive(std::string_view bytes) { return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06"); }

void ZipArchive::refuse(const std::string& what) const {
  throw Error(where_, what, "save the diagram again; or save it without packing it, as .mdl or .xcos");
}

/// Little-endian; the archive ends too early where there are too few bytes.
std::uint32_t ZipArchive::number(std::size_t at, std::size_t bytes) const {
  if (at > bytes_.size() || bytes > bytes_.size() - at) refuse("the archive ends too early");
  std::uint32_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes_[at + i]);
  return value;
}

ZipArchive::ZipArchive(std::string_view bytes, const std::string& file) : bytes_(bytes) {
  where_.file = std::make_shared<const std::string>(file);
  where_.line = where_.column = 1;
  const std::size_t end = bytes.rfind("PK\x05\x06");
  if (end == std::string_view::npos || bytes.size() - end > end_record + longest_remark || bytes.size() - end < end_record)
    refuse("the archive has no list of its files: it is broken, or not whole");
  const std::size_t count = number(end + 10, 2);
  if (count > most_files) refuse("the archive has more than " + std::to_string(most_files) + " files");
  std::size_t at = number(end + 16, 4);
  for (std::size_t i = 0; i < count; ++i) {
    if (number(at, 4) != 0x02014b50U) refuse("the archive's list of its files is broken");
    Entry entry;
    entry.flags = number(at + 8, 2);
    entry.method = number(at + 10, 2);
    entry.checksum = number(at + 16, 4);
    entry.packed = number(at + 20, 4);
    entry.unpacked = number(at + 24, 4);
    const std::size_t name = number(at + 28, 2), extra = number(at + 30, 2), remark = number(at + 32, 2);
    entry.begin = number(at + 42, 4);
    if (name > bytes.size() - at - central_record) refuse("the archive ends too early");
    entry.name = bytes.substr(at + central_record, name);
    at += central_record + name + extra + remark;
    entries_.push_back(std::move(entry));
  }
}

std::vector<std::string> ZipArchive::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return names;
}

const ZipArchive::Entry* ZipArchive::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

std::string ZipArchive::text(std::string_view name) {
  const Entry* const entry = find(name);
  if (!entry) refuse("the archive has no file " + in_quotes(name));
  const std::string of_it = "the file " + in_quotes(name) + " of the archive ";
  if ((entry->flags & 1U) != 0) refuse(of_it + "is encrypted");
  if (entry->method != 0 && entry->method != 8) refuse(of_it + "is packed in a way that is not read");
  if (entry->unpacked > most_bytes - unpacked_)
    refuse("the archive unpacks to more than " + std::to_string(most_bytes >> 20) + " MiB");
  if (number(entry->begin, 4) != 0x04034b50U) refuse(of_it + "is not where its list says");
  const std::size_t begin = entry->begin + local_record + number(entry->begin + 26, 2) + number(entry->begin + 28, 2);
  if (begin > bytes_.size() || entry->packed > bytes_.size() - begin) refuse("the archive ends too early");
  const std::string_view packed = bytes_.substr(begin, entry->packed);
  std::string text = entry->method == 0 ? std::string(packed) : inflated(*entry, packed);
  if (text.size() != entry->unpacked ||
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())) != entry->checksum)
    refuse(of_it + "is broken");
  unpacked_ += text.size();
  return text;
}

std::string ZipArchive::inflated(const Entry& entry, std::string_view packed) const {
  std::string text;
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) refuse("there is no memory to unpack the archive");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib does not write there
  stream.avail_in = static_cast<uInt>(packed.size());
  int state = Z_OK;
  constexpr std::size_t step = std::size_t{1} << 16;
  // A byte more than is promised shows that more would come.
  while (state == Z_OK && text.size() <= entry.unpacked) {
    const std::size_t before = text.size(), room = std::min(step, entry.unpacked + 1 - before);
    text.resize(before + room);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
    stream.avail_out = static_cast<uInt>(room);
    state = inflate(&stream, Z_NO_FLUSH);
    text.resize(before + room - stream.avail_out);
    if (state == Z_OK && text.size() == before) break;  // no bytes are left
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END) refuse("the file " + in_quotes(entry.name) + " of the archive is broken");
  return text;
}

}  // namespace sfg
