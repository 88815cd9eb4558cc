#pragma once

#include <string_view>

namespace guildhall {

// Colours keep at least 4.5:1 against their ground in both schemes (WCAG AA).
constexpr std::string_view invoice_style = R"(
:root{color-scheme:light dark;--ground:#f3f4f8;--sheet:#fff;--ink:#1c2033;--soft:#565d75;--line:#d5d9e6;--act:#3d3fb8;
--act-ink:#fff;--good:#0b6b43;--good-ground:#e2f6ec;--note:#7a4a00;--note-ground:#fff3dc}
@media (prefers-color-scheme:dark){:root{--ground:#12141f;--sheet:#1b1e2e;--ink:#eef0f8;--soft:#aeb5cc;--line:#363b52;
--act:#a9adff;--act-ink:#12141f;--good:#7fe0b4;--good-ground:#123426;--note:#ffd58f;--note-ground:#3a2a0d}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
.sheet{max-width:44rem;margin:0 auto;padding:1.25rem;background:var(--sheet);min-height:100vh}
header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;justify-content:space-between;align-items:baseline;
border-bottom:2px solid var(--ink);padding-bottom:.75rem}
.shop{margin:0;font-weight:600;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:1.75rem 0 .5rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:1rem 0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.5rem 0}
th,td{padding:.5rem 0 .5rem 1rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}
td{white-space:nowrap}
th:first-child{text-align:left;overflow-wrap:anywhere;padding-left:0}
thead th{color:var(--soft);font-weight:600;font-size:.875rem;white-space:nowrap}
tbody th,tfoot th{font-weight:400}
.sku{display:block;color:var(--soft);font-size:.875rem}
tfoot th:first-child{text-align:right}
tfoot .total th,tfoot .total td{font-weight:700;font-size:1.2rem;border-bottom:0;border-top:2px solid var(--ink)}
@media (max-width:39.99rem){table,caption,tbody,tfoot{display:block}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:0;border:0;min-width:0}
tbody tr{display:grid;grid-template-columns:max-content 1fr max-content;gap:0 .5rem;padding:.6rem 0;
border-bottom:1px solid var(--line)}
tbody th{grid-column:1/-1}
tbody .quantity::after{content:" ×";color:var(--soft)}
tbody .unit{text-align:left;color:var(--soft);white-space:normal}
tfoot tr{display:flex;justify-content:space-between;gap:1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}
tfoot tr.total{border-bottom:0;border-top:2px solid var(--ink)}
tfoot .total th,tfoot .total td{border:0}tfoot th:first-child{text-align:left}}
.state{padding:.75rem 1rem;border-radius:.5rem;background:var(--note-ground);color:var(--note);font-weight:600}
.state.good{background:var(--good-ground);color:var(--good)}
.state p{margin:0}
.pay{display:grid;gap:.75rem;margin:0;padding:0;list-style:none}
button,.button{display:block;width:100%;min-height:3rem;padding:.75rem 1rem;border:0;border-radius:.5rem;
background:var(--act);color:var(--act-ink);font:inherit;font-weight:600;cursor:pointer;text-align:center;
text-decoration:none}
button:hover,.button:hover{text-decoration:underline}
:focus-visible{outline:3px solid var(--act);outline-offset:3px}
a{color:var(--act)}
h3{font-size:1rem;margin:0}
.or{margin:1.5rem 0 .75rem}
.manual{display:grid;gap:.75rem;margin:0;padding:0;list-style:none}
.manual li{padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;break-inside:avoid}
.manual p{margin:.25rem 0 0;white-space:pre-line;overflow-wrap:anywhere}
.note{color:var(--soft);font-size:.875rem;margin:.75rem 0 0}
footer{margin-top:2rem;color:var(--soft);font-size:.875rem}
@media (min-width:48rem){.sheet{margin:2rem auto;padding:2.5rem;min-height:0;border-radius:1rem;
box-shadow:0 1px 3px #0002,0 8px 32px #0001}.pay{grid-template-columns:1fr 1fr}}
@media print{:root{color-scheme:light;--ground:#fff;--sheet:#fff;--ink:#000;--soft:#333;--line:#999}
.sheet{max-width:none;margin:0;padding:0;box-shadow:none;min-height:0}.screen{display:none}
tr,dl{break-inside:avoid}@page{margin:20mm}}
)";

}  // namespace guildhall
