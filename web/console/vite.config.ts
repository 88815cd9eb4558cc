import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressed, licences } from "../vite-plugins";

// `npm run dev` and `npm run preview` serve the page themselves and pass everything else on to a running server.
const server = process.env["GUILDHALL_URL"] ?? "http://127.0.0.1:8080";
const proxy = Object.fromEntries(["/api", "/auth", "/media", "/orders", "/readyz", "/info", "/docs"].map((path) => [path, server]));

export default defineConfig({
  base: "/console/",
  plugins: [react(), licences(), compressed()],
  resolve: {
    alias: { "@guildhall/client": fileURLToPath(new URL("../../clients/typescript/src/index.ts", import.meta.url)) },
  },
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false, chunkSizeWarningLimit: 700 },
  server: { proxy },
  preview: { proxy },
});
