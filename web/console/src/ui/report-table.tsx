// The table of a report, with the newest interval first.
import { Paper } from "@mantine/core";
import { Link } from "wouter";
import { type ReportColumn, type ReportView, shownValue } from "../lib/report-view";
import { t } from "../text";
import { type Interval, startText } from "./figures";

const classOf = ({ kind, wide }: ReportColumn<unknown>) =>
  [kind === "count" || kind === "money" ? "numeric" : kind === "day" ? "one-line" : "break-anywhere", wide && "wide"]
    .filter(Boolean)
    .join(" ");

export function ReportTable<Row>({
  view,
  label,
  interval,
}: {
  view: ReportView<Row>;
  label: string;
  interval: Interval;
}) {
  const { columns, rows, totals, currency, keyOf, hrefOf } = view;
  const shown = columns[0]?.kind === "day" ? [...rows].reverse() : rows;
  const text = (column: ReportColumn<Row>, row: Row) => {
    const value = column.of(row);
    return column.kind === "day" ? startText(String(value), interval) : shownValue(column.kind, value, currency);
  };
  const cell = (column: ReportColumn<Row>, index: number, row: Row) => {
    const href = index === 0 ? hrefOf?.(row) : null;
    return (
      <td key={index} className={classOf(column as ReportColumn<unknown>)}>
        {href ? (
          <Link href={href} className="row-link">
            {text(column, row)}
          </Link>
        ) : (
          text(column, row)
        )}
      </td>
    );
  };
  return (
    <Paper p={0}>
      <table className="rows figures" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" className={classOf(column as ReportColumn<unknown>)}>
                {column.title || t(`reports.${interval}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)}>{columns.map((column, index) => cell(column, index, row))}</tr>
          ))}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              {columns.map((column, index) =>
                index === 0 ? <td key={index}>{t("reports.all")}</td> : cell(column, index, totals),
              )}
            </tr>
          </tfoot>
        )}
      </table>
    </Paper>
  );
}
