#pragma once

#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The font files of Debian's packages fonts-noto-core, fonts-droid-fallback and fonts-nanum.
std::vector<std::string> debian_fonts();

// The configuration of documents as PDF.
struct PdfConfig {
  std::vector<std::string> pdf_fonts = debian_fonts();  // paths of files

  static std::vector<VariableOf<PdfConfig>> variables();
};

}  // namespace guildhall
