import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { apiEnums } from "../vite-plugins";

// The browser is in another time zone than the shops of the tests, and than most machines that run them.
process.env["TZ"] = "America/New_York";

export default defineConfig({
  plugins: [apiEnums()],
  resolve: {
    alias: { "@guildhall/client": fileURLToPath(new URL("../../clients/typescript/src/index.ts", import.meta.url)) },
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.ts"],
    restoreMocks: true,
    unstubGlobals: true,
    poolOptions: { forks: { singleFork: true } },
  },
});
