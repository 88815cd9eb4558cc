#include "pdf/pdf_config.h"

#include <stdexcept>

#include "base/config_values.h"

namespace guildhall {
namespace {

constexpr std::size_t fonts_max = 32;

std::vector<std::string> parse_fonts(std::string_view text) {
  std::vector<std::string> paths;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view path = text.substr(0, comma);
    if (!path.starts_with('/')) throw std::invalid_argument("must be absolute paths, with commas between them");
    paths.emplace_back(path);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  if (paths.size() > fonts_max) throw std::invalid_argument("must be at most 32 paths");
  return paths;
}

}  // namespace

std::vector<std::string> debian_fonts() {
  std::vector<std::string> paths;
  for (const std::string_view script : {"Arabic", "Hebrew", "Armenian", "Georgian", "Thai", "Bengali", "Tamil",
                                        "Telugu", "Devanagari", "Gujarati", "Malayalam", "Symbols2"}) {
    paths.push_back("/usr/share/fonts/truetype/noto/NotoSans" + std::string(script) + "-Regular.ttf");
  }
  paths.emplace_back("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf");
  paths.emplace_back("/usr/share/fonts/truetype/nanum/NanumGothic.ttf");
  return paths;
}

std::vector<VariableOf<PdfConfig>> PdfConfig::variables() {
  return {
      {"PDF_FONTS", "", &PdfConfig::pdf_fonts, parse_fonts,
       "Font files (TrueType) of documents as PDF, comma-separated: each is used for the characters that the built-in "
       "font and those before it do not have. Without it, those of Debian's packages fonts-noto-core, "
       "fonts-droid-fallback and fonts-nanum, where they are installed."},
  };
}

}  // namespace guildhall
