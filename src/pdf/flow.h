#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pdf/document.h"

// Text and tables that run over as many pages as they need.
namespace guildhall::pdf {

struct Margins {
  double top = 56, right = 56, bottom = 72, left = 56;
};

// A text of a cell, with its own style.
struct CellText {
  std::string text;
  Style style{};
};

struct Cell {
  std::vector<CellText> texts;
  Cell(std::string text, Style style = {}) : texts{{std::move(text), style}} {}  // NOLINT(google-explicit-constructor)
  Cell(std::vector<CellText> given) : texts(std::move(given)) {}                 // NOLINT(google-explicit-constructor)
};

struct TableColumn {
  double width;  // in points
  Align align = Align::left;
};

struct TableLook {
  double space_above = 5, space_below = 5;  // of a row
  double gap = 8;                           // between columns
  Color rule{0.87, 0.88, 0.92};             // below each row
  bool ruled = true;
};

class Flow {
 public:
  // `begin_page` is called for each new page, and may draw on it and move the cursor.
  Flow(Document& document, const Margins& margins, std::function<void(Flow&)> begin_page = {}, PageSize size = a4);

  Document& document() { return document_; }
  Page& page() { return *page_; }
  double y() const { return y_; }  // where the next text begins, from the top of the page
  void move_to(double y) { y_ = y; }
  double left() const { return margins_.left; }
  double right() const { return size_.width - margins_.right; }
  double width() const { return right() - left(); }
  double bottom() const { return size_.height - margins_.bottom; }

  void new_page();
  void space(double height) { y_ += height; }

  // Begins a new page if less than this height is left.
  void require(double height);

  void paragraph(std::string_view text, const Style& style = {});

  // The same in a part of the width. Returns nothing; the cursor is below the text.
  void paragraph_at(double x, double width, std::string_view text, const Style& style, Align align = Align::left);

  void rule(const Color& color, double width = 0.5);

  // The header is repeated on each page. A row that is higher than the rest of the page is divided between its lines.
  void table(const std::vector<TableColumn>& columns, const std::vector<Cell>& header,
             const std::vector<std::vector<Cell>>& rows, const TableLook& look = {});

 private:
  struct Line {
    std::string text;
    Style style;
  };
  using CellLines = std::vector<Line>;

  std::vector<CellLines> lines_of(const std::vector<TableColumn>& columns, const std::vector<Cell>& cells,
                                  double gap) const;
  void draw_row(const std::vector<TableColumn>& columns, std::vector<CellLines> cells, const TableLook& look,
                const std::function<void()>& repeat_header);
  double draw_cell(double x, const TableColumn& column, double gap, CellLines& lines);

  Document& document_;
  Margins margins_;
  std::function<void(Flow&)> begin_page_;
  PageSize size_;
  Page* page_ = nullptr;
  double y_ = 0;
};

// The height of a line of text.
double line_height(const Style& style);

}  // namespace guildhall::pdf
