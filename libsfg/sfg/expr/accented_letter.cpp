#include "sfg/expr/accented_letter.hpp"

#include "sfg/expr/name_look.hpp"
#include "sfg/text/utf8.hpp"

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
