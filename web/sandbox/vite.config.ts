import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressed, licences } from "../vite-plugins";

// `npm run dev` serves the page itself and passes its calls on to a running sandbox.
const sandbox = process.env["SANDBOX_URL"] ?? "http://127.0.0.1:8099";

export default defineConfig({
  base: "/",
  publicDir: "../console/public",
  plugins: [react(), licences(), compressed()],
  // Files of the console that this page imports use the packages of this page, not a second copy of them.
  resolve: { dedupe: ["react", "@mantine/core", "@tabler/icons-react"] },
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false, chunkSizeWarningLimit: 700 },
  server: { proxy: { "/sandbox": sandbox } },
});
