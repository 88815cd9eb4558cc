// What the builds of all web applications share.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** The folder of the npm package that a module belongs to, or null for our own files. */
function packageFolder(module: string): string | null {
  const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replace("\0", ""));
  return match?.[1] ?? null;
}

/** Collects the licences of all packages that end up in the bundle into one file. */
export function licences(): Plugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const module of chunk.moduleIds) {
          const folder = packageFolder(module);
          if (folder) folders.add(folder);
        }
      }
      const parts = [...folders].sort().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
        const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8").trim() : "";
        return `${name} ${version} (${license})\n\n${text}\n`;
      });
      this.emitFile({ type: "asset", fileName: "licences.txt", source: parts.join(`\n${"-".repeat(80)}\n\n`) });
    },
  };
}

/** Writes a Brotli and a gzip form beside every file for which that pays, so that the server compresses nothing. */
export function compressed(): Plugin {
  return {
    name: "compressed",
    writeBundle(options, bundle) {
      for (const fileName of Object.keys(bundle)) {
        const path = join(options.dir ?? "dist", fileName);
        const source = readFileSync(path);
        if (!fileName.startsWith("assets/") || source.length < 1024) continue;
        writeFileSync(`${path}.br`, brotliCompressSync(source));
        writeFileSync(`${path}.gz`, gzipSync(source, { level: 9 }));
      }
    },
  };
}
