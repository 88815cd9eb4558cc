#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pdf/font.h"
#include "pdf/metadata.h"
#include "pdf/objects.h"
#include "pdf/shaped_text.h"

// Documents as PDF/A-3 (ISO 19005-3, level B): with embedded fonts, and with files inside. Equal calls make equal
// bytes. Measures are in points (1/72 inch); positions count from the upper left corner of the page.
namespace guildhall::pdf {

struct Color {
  double red = 0, green = 0, blue = 0;  // 0 to 1

  // Of a text such as #3d3fb8. Throws std::invalid_argument for another one.
  static Color of(std::string_view text);
};

struct Style {
  double size = 10;
  Weight weight = Weight::regular;
  Color color{};
};

enum class Align { left, center, right };

// A picture of a document.
struct Image {
  int number = 0;  // in the document
  int width = 0;   // in pixels
  int height = 0;
};

// A file inside a document.
struct Attachment {
  std::string name;
  std::string media_type;
  std::string description;
  std::string relationship = "Supplement";  // to the document: Alternative, Data, Source or Supplement
  std::string bytes;
  Instant modified;
};

struct PageSize {
  double width, height;
};
constexpr PageSize a4{595.276, 841.89};
constexpr PageSize a6{297.638, 419.528};

class Document;

class Page {
 public:
  Page(Document& document, PageSize size) : document_(document), size_(size) {}

  const PageSize& size() const { return size_; }

  // One line of text; `x` is its left end, middle or right end, `baseline` the height of the letters' feet.
  void text(double x, double baseline, std::string_view utf8, const Style& style, Align align = Align::left);
  void line(double x1, double y1, double x2, double y2, const Color& color, double width = 0.5);
  void rectangle(double x, double y, double width, double height, const Color& color);
  void image(double x, double y, double width, double height, const Image& image);

 private:
  friend class Document;

  Document& document_;
  PageSize size_;
  std::string content_;
};

class Document {
 public:
  Document(const Fonts& fonts, DocumentInfo info);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  Page& add_page(PageSize size = a4);
  std::deque<Page>& pages() { return pages_; }

  // Pixels as bytes red, green, blue, row by row from the top.
  Image add_image(int width, int height, std::string_view pixels);

  // A JPEG file in colour, which is embedded as it is. The caller has checked it.
  Image add_jpeg(int width, int height, std::string_view bytes);

  void attach(const Attachment& attachment);

  // The width of a line of text in points.
  double width_of(std::string_view utf8, const Style& style) const;

  // The lines of a text that is at most so many points wide.
  std::vector<std::string> wrap(std::string_view utf8, const Style& style, double width) const;

  // The whole file. The document must have a page.
  std::string finish() &&;

 private:
  friend class Page;

  // A font of the document, with the glyphs that its pages show. They are numbered in the order of their first use.
  struct UsedFont {
    ObjectId id;
    std::string name;  // in the pages' resources
    std::map<std::uint32_t, std::uint32_t> numbers{};
    std::vector<std::uint32_t> glyphs{};
    std::vector<std::string> texts{};
  };

  UsedFont& used(const Font& font);
  static std::uint32_t number_of(UsedFont& font, const Glyph& glyph);
  std::string resources() const;
  std::string catalog(ObjectId pages);

  const Fonts& fonts_;
  DocumentInfo info_;
  Objects objects_;
  std::deque<Page> pages_;
  std::map<const Font*, UsedFont> used_fonts_;
  std::vector<const Font*> font_order_;
  std::vector<ObjectId> images_;
  struct Attached {
    std::string name;
    ObjectId id;
  };
  std::vector<Attached> attachments_;
};

}  // namespace guildhall::pdf
