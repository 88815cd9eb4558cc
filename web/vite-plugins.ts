// What the builds of all web applications share.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

interface Described {
  enum?: string[];
  items?: Described;
  properties?: Record<string, Described>;
  schema?: Described;
  name?: string;
  parameters?: Described[];
}

/**
 * The module `virtual:api-enums`: the values of the enums in clients/openapi.json. Their keys are `Order.status` for a member of a schema
 * and `/api/data/order?status` for a parameter of a GET request. The codes of errors are left out, since no page lists them.
 */
export function apiEnums(): Plugin {
  const name = "virtual:api-enums";
  return {
    name: "api-enums",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return;
      const source = fileURLToPath(new URL("../clients/openapi.json", import.meta.url));
      this.addWatchFile(source);
      const { components, paths } = JSON.parse(readFileSync(source, "utf8")) as { components: { schemas: Record<string, Described> }; paths: Record<string, { get?: Described }> };
      const members = Object.entries(components.schemas).flatMap(([schema, { properties = {} }]) => Object.entries(properties).map(([key, value]) => [`${schema}.${key}`, value] as const));
      const parameters = Object.entries(paths).flatMap(([path, { get }]) => (get?.parameters ?? []).map(({ name: key, schema }) => [`${path}?${key}`, schema ?? {}] as const));
      const values = [...members, ...parameters].map(([key, value]) => [key, value.enum ?? value.items?.enum] as const);
      return `export default ${JSON.stringify(Object.fromEntries(values.filter(([key, list]) => list && key !== "Error.code" && !/^(New|Sent)|Patch\.|Request\.|\?(sort|format)$/.test(key))))}`;
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
