import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { apiEnums, compressed, licences } from "../vite-plugins";

// `npm run dev` and `npm run preview` serve the page themselves and pass everything else on to a running server.
const server = process.env["GUILDHALL_URL"] ?? "http://127.0.0.1:8080";
const proxy = Object.fromEntries(
  ["/api", "/auth", "/media", "/orders", "/readyz", "/info", "/docs"].map((path) => [path, server]),
);

/** Puts src/start.ts before the application's own script. In development there is none, and all is read a moment later. */
function startFirst(): Plugin {
  return {
    name: "start-first",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle = {} }) {
        const start = Object.values(bundle).find((file) => file.type === "chunk" && file.name === "start");
        return start
          ? [{ tag: "script", attrs: { type: "module", src: `/console/${start.fileName}` }, injectTo: "head-prepend" }]
          : [];
      },
    },
  };
}

export default defineConfig({
  base: "/console/",
  plugins: [react(), apiEnums(), startFirst(), licences(), compressed()],
  resolve: {
    alias: { "@guildhall/client": fileURLToPath(new URL("../../clients/typescript/src/index.ts", import.meta.url)) },
  },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rollupOptions: { input: ["index.html", "src/start.ts"] },
  },
  server: { proxy },
  preview: { proxy },
});
