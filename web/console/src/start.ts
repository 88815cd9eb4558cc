// Runs before the application, which is large, and sends the reads that the first page begins with. main.tsx asks for the
// same ones; api.ts then takes these answers.
declare global {
  /** By path. Each is taken once. */
  var firstAnswers: Map<string, Promise<Response>> | undefined;
}

const path = location.pathname.replace(/^\/console\/?/, "/");
const forVisitors = ["/invitation", "/setup", "/password-reset"].includes(path);
const everyPage = ["/auth/me", "/api/admin/settings", "/api/admin/branding"];
// Not for somebody who could not use the home page the last time (home.tsx).
const home = ["/api/data/order/open/summary", "/api/data/order/open?pageSize=8"];

globalThis.firstAnswers = new Map();
for (const read of forVisitors
  ? []
  : path === "/" && localStorage.getItem("guildhall.no-home") === null
    ? [...everyPage, ...home]
    : everyPage) {
  const answer = fetch(read, { headers: { accept: "application/json", prefer: "handling=strict" } });
  answer.catch(() => {}); // the code that awaits it handles the failure
  globalThis.firstAnswers.set(read, answer);
}

export {};
