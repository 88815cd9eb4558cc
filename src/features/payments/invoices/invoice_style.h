#pragma once

#include <string_view>

namespace guildhall {

// Colours keep at least 4.5:1 against their ground in both schemes (WCAG AA).
constexpr std::string_view invoice_style = R"(
:root{color-scheme:light dark;--ground:#f3f4f8;--sheet:#fff;--ink:#1c2033;--soft:#565d75;--line:#dfe2ec;--act:#3d3fb8;
--brand:#3d3fb8;--brand-ink:#fff;--edge:#0002;--tile:#f3f4f8;--good:#0b6b43;--good-ground:#e2f6ec;--note:#7a4a00;
--note-ground:#fff3dc}
@media (prefers-color-scheme:dark){:root{--ground:#12141f;--sheet:#1b1e2e;--ink:#eef0f8;--soft:#aeb5cc;--line:#333850;
--act:#b3b6ff;--brand:#4a4cc9;--edge:#fff3;--tile:#262a3d;--good:#7fe0b4;--good-ground:#123426;--note:#ffd58f;
--note-ground:#3a2a0d}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
.sheet{max-width:48rem;margin:0 auto;background:var(--sheet);min-height:100vh}
header{display:grid;grid-template-columns:auto 1fr;align-items:center;gap:0 1rem;padding:1.25rem;
background:var(--brand);color:var(--brand-ink);border-bottom:1px solid var(--edge)}
.logo{grid-row:1/3;width:4rem;height:4rem;padding:.25rem;object-fit:contain;border-radius:.75rem;background:#fff;
box-shadow:0 0 0 1px var(--edge)}
.shop{grid-column:2;margin:0;font-weight:600;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
header h1{grid-column:2}
header .shop:first-child,header .shop:first-child+h1{grid-column:1/3}
main,footer{padding:0 1.25rem}
main>h1{padding-top:1.25rem}
h2{font-size:1.25rem;line-height:1.3;margin:2rem 0 .75rem}
dl{display:grid;grid-template-columns:1fr 1fr;gap:.75rem 1.5rem;margin:1.25rem 0}
dt{color:var(--soft);font-size:.875rem}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;font-size:1.1rem;padding:.5rem 0}
th,td{padding:.75rem 0 .75rem 1.25rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:middle}
td{white-space:nowrap}
th:first-child{text-align:left;overflow-wrap:anywhere;padding-left:0}
thead th{padding-block:.5rem;color:var(--soft);font-weight:600;font-size:.875rem;white-space:nowrap}
tbody th{font-weight:600}tfoot th{font-weight:400}
.item{display:flex;align-items:center;gap:.875rem}
.thumb{flex:none;width:3.5rem;height:3.5rem;object-fit:cover;border-radius:.5rem;background:var(--tile)}
img.thumb{box-shadow:0 0 0 1px var(--edge)}
span.thumb{background:var(--tile) center/1.75rem no-repeat url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%238a90a6' stroke-width='1.5' stroke-linejoin='round'%3E%3Cpath d='M12 3 4 7v10l8 4 8-4V7zM4 7l8 4 8-4M12 11v10'/%3E%3C/svg%3E")}
.sku{display:block;color:var(--soft);font-size:.875rem;font-weight:400}
tfoot th:first-child{text-align:right}
tfoot th,tfoot td{padding-block:.375rem;border:0}
tfoot .subtotal th,tfoot .subtotal td{padding-top:.75rem}
tfoot .total th,tfoot .total td{font-weight:700;font-size:1.25rem}
@media (max-width:39.99rem){table,caption,tbody,tfoot{display:block}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:0;border:0;min-width:0}
tbody tr{display:grid;grid-template-columns:max-content 1fr max-content;gap:.25rem .5rem;padding:.875rem 0;
border-bottom:1px solid var(--line)}
tbody th{grid-column:1/-1}
tbody .quantity::after{content:" ×";color:var(--soft)}
dl div:last-child{grid-column:1/-1}
.pictured .quantity{padding-left:4.375rem}
tbody .unit{text-align:left;color:var(--soft);white-space:normal}
tfoot tr{display:flex;justify-content:space-between;gap:1rem;padding:.375rem 0}
tfoot tr.subtotal{padding-top:.875rem}
tfoot tr.total{margin-top:.375rem;padding-top:.75rem;border-top:2px solid var(--ink)}
tfoot .subtotal th,tfoot .subtotal td,tfoot th,tfoot td{padding:0}tfoot th:first-child{text-align:left}}
.state{margin-top:1.5rem;padding:.875rem 1rem;border-radius:.75rem;background:var(--note-ground);color:var(--note);
font-weight:600}
.state.good{background:var(--good-ground);color:var(--good)}
.state p{margin:0}
.pay{display:grid;gap:.75rem;margin:0;padding:0;list-style:none}
button,.button{display:block;width:100%;min-height:3.25rem;padding:.75rem 1rem;border:1px solid var(--edge);
border-radius:.75rem;background:var(--brand);color:var(--brand-ink);font:inherit;font-weight:600;cursor:pointer;
text-align:center;text-decoration:none;border-color:color-mix(in srgb,var(--brand-ink) 35%,transparent)}
button:hover,.button:hover{text-decoration:underline}
:focus-visible{outline:3px solid var(--act);outline-offset:3px;border-radius:.25rem}
a{color:var(--ink)}
h3{font-size:1rem;margin:0}
.or{margin:1.75rem 0 .75rem}
.manual{display:grid;gap:.75rem;margin:0;padding:0;list-style:none}
.manual li{padding:.875rem 1rem;border:1px solid var(--line);border-radius:.75rem;break-inside:avoid}
.delivered{margin-top:1.5rem}.delivered h2{margin-bottom:.75rem}
.delivered h4{margin:.75rem 0 .25rem;font-size:.8125rem;font-weight:600;color:var(--soft)}
.delivered p{overflow-wrap:anywhere}
.delivered code{display:block;margin-top:.25rem;padding:.5rem .75rem;border-radius:.5rem;background:var(--tile);
font:600 .9375rem/1.5 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere;user-select:all}
.manual p{margin:.25rem 0 0;white-space:pre-line;overflow-wrap:anywhere}
.note{color:var(--soft);font-size:.875rem;margin:.75rem 0 0}
footer{margin-top:2rem;padding-bottom:1.5rem;color:var(--soft);font-size:.875rem}
@media (min-width:40rem){dl{grid-template-columns:repeat(3,auto);justify-content:space-between;padding:1rem 1.25rem;
border-radius:.75rem;background:var(--tile)}
tfoot .total th,tfoot .total td{padding-top:.75rem}tfoot .total{border-top:2px solid var(--ink)}}
@media (min-width:48rem){.sheet{margin:2rem auto;min-height:0;border-radius:1rem;overflow:hidden;
box-shadow:0 1px 3px #0002,0 8px 32px #0001}header{padding:1.75rem 2.5rem}main,footer{padding-inline:2.5rem}
footer{padding-bottom:2.5rem}.pay,.manual{grid-template-columns:1fr 1fr}
.pay li:only-child,.manual li:only-child{grid-column:1/-1}}
@media print{:root{color-scheme:light;--ground:#fff;--sheet:#fff;--ink:#000;--soft:#333;--line:#999;--tile:#fff}
.sheet{max-width:none;margin:0;box-shadow:none;min-height:0;border-radius:0}.screen{display:none}
header{padding:0 0 .75rem;background:none;color:#000;border-bottom:2px solid #000}.logo{padding:0}
main,footer,dl{padding-inline:0}tr,dl{break-inside:avoid}@page{margin:20mm}}
)";

}  // namespace guildhall
