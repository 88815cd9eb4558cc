#include "pdf/flow.h"

#include <algorithm>

namespace guildhall::pdf {

double line_height(const Style& style) {
  return style.size * 1.4;
}

// From the top of a line to the feet of its letters.
static double ascent(const Style& style) {
  return style.size * 1.05;
}

Flow::Flow(Document& document, const Margins& margins, std::function<void(Flow&)> begin_page, PageSize size)
    : document_(document), margins_(margins), begin_page_(std::move(begin_page)), size_(size) {
  new_page();
}

void Flow::new_page() {
  page_ = &document_.add_page(size_);
  y_ = margins_.top;
  if (begin_page_) begin_page_(*this);
}

void Flow::require(double height) {
  if (y_ + height > bottom()) new_page();
}

void Flow::paragraph(std::string_view text, const Style& style) {
  paragraph_at(left(), width(), text, style);
}

void Flow::paragraph_at(double x, double width, std::string_view text, const Style& style, Align align) {
  if (align == Align::right) x += width;
  if (align == Align::center) x += width / 2;
  for (const std::string& line : document_.wrap(text, style, width)) {
    require(line_height(style));
    page_->text(x, y_ + ascent(style), line, style, align);
    y_ += line_height(style);
  }
}

void Flow::rule(const Color& color, double width) {
  page_->line(left(), y_, right(), y_, color, width);
}

std::vector<Flow::CellLines> Flow::lines_of(const std::vector<TableColumn>& columns, const std::vector<Cell>& cells,
                                            double gap) const {
  std::vector<CellLines> all;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    CellLines& lines = all.emplace_back();
    for (const CellText& part : cells[i].texts) {
      for (std::string& line : document_.wrap(part.text, part.style, columns[i].width - gap)) {
        lines.push_back({std::move(line), part.style});
      }
    }
  }
  return all;
}

// Draws as many lines as fit, and takes them away. Returns the height that they need.
double Flow::draw_cell(double x, const TableColumn& column, double gap, CellLines& lines) {
  const double width = column.width - gap;
  const double at = column.align == Align::left ? x : column.align == Align::right ? x + width : x + width / 2;
  double y = y_;
  std::size_t drawn = 0;
  for (const Line& line : lines) {
    if (y + line_height(line.style) > bottom()) break;
    page_->text(at, y + ascent(line.style), line.text, line.style, column.align);
    y += line_height(line.style);
    ++drawn;
  }
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(drawn));
  return y - y_;
}

void Flow::draw_row(const std::vector<TableColumn>& columns, std::vector<CellLines> cells, const TableLook& look,
                    const std::function<void()>& repeat_header) {
  double height = 0;
  for (const CellLines& lines : cells) {
    double of_cell = 0;
    for (const Line& line : lines) of_cell += line_height(line.style);
    height = std::max(height, of_cell);
  }
  const auto begin_page = [&] {
    new_page();
    if (repeat_header) repeat_header();
  };
  const double whole_page = bottom() - margins_.top;
  if (y_ + look.space_above + std::min(height, whole_page / 2) > bottom()) begin_page();
  while (true) {
    y_ += look.space_above;
    double x = left(), drawn = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      drawn = std::max(drawn, draw_cell(x, columns[i], look.gap, cells[i]));
      x += columns[i].width;
    }
    y_ += drawn + look.space_below;
    if (std::ranges::all_of(cells, &CellLines::empty)) break;
    begin_page();
  }
  if (look.ruled) page_->line(left(), y_, right(), y_, look.rule);
}

void Flow::table(const std::vector<TableColumn>& columns, const std::vector<Cell>& header,
                 const std::vector<std::vector<Cell>>& rows, const TableLook& look) {
  const auto draw_header = [&] {
    if (!header.empty()) draw_row(columns, lines_of(columns, header, look.gap), look, {});
  };
  draw_header();
  for (const std::vector<Cell>& row : rows) draw_row(columns, lines_of(columns, row, look.gap), look, draw_header);
}

}  // namespace guildhall::pdf
