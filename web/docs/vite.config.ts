import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressed, licences } from "../vite-plugins";
import { docsFolder, guides } from "./guides";

// `npm run dev` serves the page itself and passes everything else on to a running server.
const server = process.env["GUILDHALL_URL"] ?? "http://127.0.0.1:8080";
const proxy = Object.fromEntries(["/api", "/auth", "/openapi.json", "/console", "/healthz", "/readyz", "/info"].map((path) => [path, server]));

export default defineConfig({
  base: "/docs/",
  plugins: [guides(docsFolder(fileURLToPath(new URL(".", import.meta.url)))), licences(), compressed()],
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false },
  server: { proxy },
});
