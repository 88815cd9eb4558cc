#include "pdf/document.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "base/encoding.h"
#include "pdf/flow.h"
#include "pdf/pdf_config.h"

namespace guildhall::pdf {
namespace {

const Fonts& all_fonts() {
  static const Fonts fonts(debian_fonts());
  return fonts;
}

DocumentInfo info_for_tests() {
  return {
      .title = "Invoice R-1 & <more>", .author = "Müller \x01 Söhne", .language = "de", .created = {1'790'000'000'000}};
}

// A file that is deleted at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes)
      : path_(std::filesystem::temp_directory_path() /
              ("guildhall-" + std::to_string(getpid()) + "-" + std::to_string(++count_) + ".pdf")) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;

  struct Result {
    int status;
    std::string out;
  };
  // Runs a program with the file as `{}` in its arguments.
  Result run(std::string command) const {
    command.replace(command.find("{}"), 2, path_.string());
    Result result{0, ""};
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    std::array<char, 4096> buffer{};
    while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
      result.out.append(buffer.data(), count);
    result.status = pclose(pipe);
    return result;
  }

 private:
  std::filesystem::path path_;
  inline static int count_ = 0;
};

std::string document_with(const std::vector<std::string>& lines) {
  Document document(all_fonts(), info_for_tests());
  Flow flow(document, {});
  for (const std::string& line : lines) flow.paragraph(line);
  return std::move(document).finish();
}

TEST(PdfDocument, is_a_file_that_other_programs_accept) {
  Document document(all_fonts(), info_for_tests());
  document.attach({.name = "factur-x.xml",
                   .media_type = "text/xml",
                   .description = "The invoice as data",
                   .relationship = "Alternative",
                   .bytes = "<a/>",
                   .modified = {1'790'000'000'000}});
  Page& page = document.add_page();
  page.text(50, 50, "Grüße", {.size = 20, .weight = Weight::bold, .color = Color::of("#3d3fb8")});
  page.line(50, 60, 200, 60, {});
  page.rectangle(50, 70, 20, 20, Color::of("#ff0000"));
  page.image(80, 70, 20, 20, document.add_image(2, 1, std::string("\xff\0\0\0\xff\0", 6)));
  const TemporaryFile file(std::move(document).finish());
  const auto check = file.run("qpdf --check {}");
  EXPECT_EQ(check.status, 0) << check.out;
  EXPECT_EQ(file.run("qpdf --show-attachment=factur-x.xml {}").out, "<a/>");
  EXPECT_NE(file.run("pdfinfo {}").out.find("Invoice R-1 & <more>"), std::string::npos);
  const std::string fonts = file.run("pdffonts {}").out;
  EXPECT_NE(fonts.find("+NotoSans-Bold"), std::string::npos) << fonts;
  EXPECT_NE(fonts.find("yes yes yes"), std::string::npos) << "embedded, a subset, with Unicode: " << fonts;
}

TEST(PdfDocument, has_the_metadata_of_an_archive) {
  const std::string bytes = document_with({"text"});
  for (const char* part : {"<pdfaid:part>3</pdfaid:part>", "<pdfaid:conformance>B</pdfaid:conformance>",
                           "Invoice R-1 &amp; &lt;more&gt;", "Müller  Söhne", "/GTS_PDFA1", "/Lang (de)"}) {
    EXPECT_NE(bytes.find(part), std::string::npos) << part;
  }
}

TEST(PdfDocument, is_the_same_for_the_same_content) {
  EXPECT_EQ(document_with({"one", "two"}), document_with({"one", "two"}));
  EXPECT_NE(document_with({"one", "two"}), document_with({"one", "three"}));
}

TEST(PdfDocument, shows_every_script_so_that_its_text_can_be_copied) {
  const std::vector<std::string> lines{"Grüße aus Łódź, Ταχύτητα, Привет, Tiếng Việt", "東京都 山田太郎 北京",
                                       "ไทย ქართული Հայերեն", "efficient office AVATAR"};
  const TemporaryFile file(document_with(lines));
  const std::string text = file.run("pdftotext -layout {} -").out;
  for (const std::string& line : lines) EXPECT_NE(text.find(line), std::string::npos) << text;
}

TEST(PdfDocument, shows_text_from_right_to_left) {
  const TemporaryFile file(document_with({"محمد علي 15", "שלום עולם"}));
  const std::string text = file.run("pdftotext {} -").out;
  EXPECT_NE(text.find("محمد"), std::string::npos) << text;
  EXPECT_NE(text.find("שלום"), std::string::npos) << text;
  EXPECT_NE(text.find("15"), std::string::npos) << text;
}

TEST(PdfDocument, never_shows_a_glyph_that_the_font_does_not_have) {
  const Fonts only_built_in({});
  Document document(only_built_in, info_for_tests());
  document.add_page().text(50, 50, "a\xF0\x9F\x8E\x89z 東 \xFF", {});
  const TemporaryFile file(std::move(document).finish());
  EXPECT_EQ(file.run("pdftotext {} -").out.substr(0, 6), "az ? \xEF");  // an emoji is left out
}

TEST(PdfFlow, breaks_lines_at_spaces_and_long_words_between_characters) {
  const Document document(all_fonts(), info_for_tests());
  EXPECT_EQ(document.wrap("one two three", {}, document.width_of("one two ", {}) + 1),
            (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(document.wrap("a\nb", {}, 100), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(document.wrap("", {}, 100), std::vector<std::string>{""});
  const auto lines = document.wrap(std::string(1000, 'x'), {}, 100);
  EXPECT_GT(lines.size(), 40U);
  for (const std::string& line : lines) EXPECT_LE(document.width_of(line, {}), 100);
  EXPECT_GT(document.wrap("東京都東京都東京都東京都", {}, 50).size(), 1U);
}

TEST(PdfFlow, divides_a_table_and_its_long_rows_between_pages) {
  Document document(all_fonts(), info_for_tests());
  int begun = 0;
  Flow flow(document, {}, [&](Flow&) { ++begun; });
  std::vector<std::vector<Cell>> rows(80, {Cell("a"), Cell("1")});
  std::string words;
  for (int i = 0; i < 2000; ++i) words += "word" + std::to_string(i) + " ";
  rows.push_back({Cell(words), Cell("2")});
  flow.table({{flow.width() - 80}, {80, Align::right}}, {Cell("Item"), Cell("Number")}, rows);
  const std::size_t pages = document.pages().size();
  EXPECT_GT(pages, 4U);
  EXPECT_EQ(begun, static_cast<int>(pages));
  const TemporaryFile file(std::move(document).finish());
  const std::string text = file.run("pdftotext {} -").out;
  std::size_t headers = 0;
  for (std::size_t at = text.find("Item"); at != std::string::npos; at = text.find("Item", at + 1)) ++headers;
  EXPECT_EQ(headers, pages) << "the header is on each page";
  for (int i = 0; i < 2000; ++i) {
    EXPECT_NE(text.find("word" + std::to_string(i)), std::string::npos);
  }
}

TEST(PdfColor, is_read_from_text) {
  EXPECT_NEAR(Color::of("#ff8000").green, 0.502, 0.001);
  EXPECT_THROW(Color::of("red"), std::invalid_argument);
}

}  // namespace
}  // namespace guildhall::pdf
