#include "sfg/expr/latex_text.hpp"

#include <array>
#include <cstdint>
#include <map>

#include "sfg/expr/names_in_use.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {
namespace {

const std::map<std::string_view, std::string_view> characters{
    {"→", "$\\to$"},    {"⇒", "$\\Rightarrow$"}, {"−", "$-$"},      {"·", "$\\cdot$"},  {"–", "--"},        {"—", "---"},
    {"°", "$^\\circ$"}, {"²", "$^2$"},           {"³", "$^3$"},     {"∞", "$\\infty$"}, {"≤", "$\\le$"},    {"≥", "$\\ge$"},
    {"±", "$\\pm$"},    {"×", "$\\times$"},      {"√", "$\\surd$"}, {"…", "\\dots{}"},  {"’", "'"},         {"Σ", "$\\Sigma$"},
    {"µ", "$\\mu$"},    {"¹", "$^1$"},           {"¬", "$\\neg$"},  {"÷", "$\\div$"},   {"′", "$'$"},       {"″", "$''$"},
    {"‴", "$'''$"},     {"⁰", "$^0$"},           {"⁴", "$^4$"},     {"⁵", "$^5$"},      {"⁶", "$^6$"},      {"⁷", "$^7$"},
    {"⁸", "$^8$"},      {"⁹", "$^9$"},           {"⁻", "$^-$"},     {"⁺", "$^+$"},      {"₀", "$_0$"},      {"₁", "$_1$"},
    {"₂", "$_2$"},      {"₃", "$_3$"},           {"₄", "$_4$"},     {"₅", "$_5$"},      {"₆", "$_6$"},      {"₇", "$_7$"},
    {"₈", "$_8$"},      {"₉", "$_9$"},           {"₊", "$_+$"},     {"₋", "$_-$"},      {"≠", "$\\ne$"},    {"≈", "$\\approx$"},
    {"∠", "$\\angle$"}, {"∂", "$\\partial$"},    {"∫", "$\\int$"},  {"ℓ", "$\\ell$"},   {"∑", "$\\Sigma$"}, {"∆", "$\\Delta$"}};

/// Of Latin letters those that the encoding T1 has no place for.
constexpr std::array<std::string_view, 8> no_glyph{"Ħ", "ħ", "ĸ", "Ŀ", "ŀ", "ŉ", "Ŧ", "ŧ"};
constexpr std::array<std::string_view, 5> signs{"¡", "£", "«", "»", "¿"};

bool has_glyph(std::string_view character) {
  if (character >= "\u00C0" && character <= "\u017E") {
    for (const std::string_view letter : no_glyph)
      if (letter == character) return false;
    return true;
  }
  for (const std::string_view sign : signs)
    if (sign == character) return true;
  return false;
}

std::string code_point(std::string_view character) {
  std::uint32_t code = static_cast<unsigned char>(character.front()) & (0xFFU >> (character.size() + 1));
  for (const char byte : character.substr(1)) code = (code << 6U) | (static_cast<unsigned char>(byte) & 0x3FU);
  std::string digits;
  for (; code > 0 || digits.size() < 4; code >>= 4U) digits.insert(digits.begin(), "0123456789ABCDEF"[code & 15U]);
  return "[U+" + digits + "]";
}

std::string ascii(char c) {
  if (std::string_view("#$%&_{}").find(c) != std::string_view::npos) return std::string("\\") + c;
  switch (c) {
    case '\\': return "\\textbackslash{}";
    case '^': return "\\textasciicircum{}";
    case '~': return "\\textasciitilde{}";
    case '|': return "$\\vert$";
    case '<':
    case '>': return std::string("$") + c + "$";
    default: return std::string(1, static_cast<unsigned char>(c) < ' ' || c == '\x7F' ? ' ' : c);
  }
}

}  // namespace

std::string latex_text(std::string_view any) {
  const std::string text = valid_utf8(any);
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view character = std::string_view(text).substr(i, character_bytes(text, i));
    if (text.compare(i, 2, "=>") == 0 || text.compare(i, 2, "->") == 0) {  // as plain text writes arrows
      result += text[i] == '=' ? "$\\Rightarrow$" : "$\\to$";
      i += 2;
      continue;
    }
    const std::string_view cluster = std::string_view(text).substr(i, cluster_bytes(text, i));
    const bool alone = cluster.size() == character.size();
    const bool known = characters.contains(character) || !greek_in_latex(character).empty() || has_glyph(character);
    if (!alone || (character.size() > 1 && !known))
      if (const auto accented = accented_in_latex(cluster)) {
        result += "$" + *accented + "$";
        i += cluster.size();
        continue;
      }
    i += character.size();
    const std::string_view greek = greek_in_latex(character);
    if (const auto known = characters.find(character); known != characters.end()) {
      result += known->second;
    } else if (!greek.empty()) {
      result += "$" + std::string(greek) + "$";
    } else if (character.size() > 1) {
      result += has_glyph(character) ? std::string(character) : code_point(character);
    } else {
      result += ascii(character.front());
    }
  }
  return result;
}

}  // namespace sfg

namespace sfg {
namespace {

struct Accent {
  std::string_view latex, mark;
  std::string_view letters;  ///< in pairs: without this accent, where others may remain, and with it
};

constexpr Accent accents[] = {
    {"\\grave", "\u0300", "AÀEÈIÌOÒUÙaàeèiìoòuùÜǛüǜNǸnǹĒḔēḕŌṐōṑWẀwẁÂẦâầĂẰăằÊỀêềÔỒôồƠỜơờƯỪưừYỲyỳ"},
    {"\\acute", "\u0301",
     "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźÜǗüǘGǴgǵÅǺåǻÆǼæǽØǾøǿΑΆΕΈΗΉΙΊΟΌΥΎΩΏϊΐαάεέηήιίϋΰοόυύωώ"
     "ÇḈçḉĒḖēḗÏḮïḯKḰkḱMḾmḿÕṌõṍŌṒōṓPṔpṕŨṸũṹWẂwẃÂẤâấĂẮăắÊẾêếÔỐôốƠỚơớƯỨưứ"},
    {"\\hat", "\u0302", "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷZẐzẑẠẬạậẸỆẹệỌỘọộ"},
    {"\\tilde", "\u0303", "AÃNÑOÕaãnñoõIĨiĩUŨuũVṼvṽÂẪâẫĂẴăẵEẼeẽÊỄêễÔỖôỗƠỠơỡƯỮưữYỸyỹ"},
    {"\\bar", "\u0304", "AĀaāEĒeēIĪiīOŌoōUŪuūÜǕüǖÄǞäǟȦǠȧǡÆǢæǣǪǬǫǭÖȪöȫÕȬõȭȮȰȯȱYȲyȳGḠgḡḶḸḷḹṚṜṛṝ"},
    {"\\breve", "\u0306", "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭȨḜȩḝẠẶạặ"},
    {"\\dot", "\u0307", "CĊcċEĖeėGĠgġIİZŻzżAȦaȧOȮoȯBḂbḃDḊdḋFḞfḟHḢhḣMṀmṁNṄnṅPṖpṗRṘrṙSṠsṡŚṤśṥŠṦšṧṢṨṣṩTṪtṫWẆwẇXẊxẋYẎyẏſẛ"},
    {"\\ddot", "\u0308", "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸΙΪΥΫιϊυϋHḦhḧÕṎõṏŪṺūṻWẄwẅXẌxẍtẗ"},
    {"\\mathring", "\u030A", "AÅaåUŮuůwẘyẙ"},
    {"\\check", "\u030C", "CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔÜǙüǚGǦgǧKǨkǩƷǮʒǯjǰHȞhȟ"},
    {"\\underline", "\u0331", "BḆbḇDḎdḏKḴkḵLḺlḻNṈnṉRṞrṟTṮtṯZẔzẕhẖ"},
    {"\\dddot", "\u20DB", ""},
    {"\\vec", "\u20D7", ""},
    {"\\overline", "\u0305", ""},
    {"\\underline", "\u0332", ""},
};

bool is_mark(std::string_view character) {
  return (character >= "\u0300" && character <= "\u036F") || (character >= "\u20D0" && character <= "\u20F0");
}

std::string_view taken(std::string_view& text) {
  const std::string_view first = text.substr(0, character_bytes(text, 0));
  text.remove_prefix(first.size());
  return first;
}

/// A letter, precomposed or plain; "" for anything else.
std::string letter_in_latex(std::string_view character) {
  const auto lower = static_cast<char>(static_cast<unsigned char>(character[0]) | 0x20U);
  if (character.size() == 1) return lower >= 'a' && lower <= 'z' ? std::string(character) : std::string();
  if (const std::string_view greek = greek_in_latex(character); !greek.empty()) return std::string(greek);
  for (const Accent& accent : accents)
    for (std::string_view rest = accent.letters; !rest.empty();) {
      const std::string_view plain = taken(rest), composed = taken(rest);
      if (composed != character) continue;
      const std::string inner = letter_in_latex(plain);
      return inner.empty() ? inner : std::string(accent.latex) + "{" + inner + "}";
    }
  return {};
}

std::string_view primes_of(std::string_view character) {
  return character == "′" || character == "'" ? "'" : character == "″" ? "''" : character == "‴" ? "'''" : "";
}

}  // namespace

std::size_t cluster_bytes(std::string_view text, std::size_t begin) {
  std::size_t end = begin + character_bytes(text, begin);
  while (end < text.size() && is_mark(text.substr(end, character_bytes(text, end)))) end += character_bytes(text, end);
  return end - begin;
}

std::optional<std::string> accented_in_latex(std::string_view word) {
  if (word.empty()) return {};
  const std::string_view letter = taken(word);
  std::string formula = letter_in_latex(letter), primes;
  const bool plain = letter.size() == 1 || !greek_in_latex(letter).empty();
  if (formula.empty() || (plain && word.empty())) return {};
  while (!word.empty()) {
    const std::string_view next = taken(word);
    if (const std::string_view more = primes_of(next); !more.empty()) {
      primes += more;
      continue;
    }
    const Accent* found = nullptr;
    for (const Accent& accent : accents)
      if (accent.mark == next && primes.empty()) found = &accent;
    if (found == nullptr) return {};
    formula = std::string(found->latex) + "{" + formula + "}";
  }
  return formula + primes;
}

}  // namespace sfg
