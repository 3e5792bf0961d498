// One file that works from anywhere: scripts, styles and the module are inside it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const built = (name: string) => fileURLToPath(new URL(`../build/${name}`, import.meta.url));

/** `import core from "virtual:core"`: a module in WebAssembly, by gzip and base64. */
const MODULES: Record<string, string> = {
  "virtual:core": built("wasm/farsight.wasm"),
  "virtual:sqlite": fileURLToPath(import.meta.resolve("@sqlite.org/sqlite-wasm/sqlite3.wasm")),
};

function modules(): Plugin {
  return {
    name: "modules",
    resolveId: (id) => (id in MODULES ? `\0${id}` : null),
    load(id) {
      const file = MODULES[id.slice(1)];
      if (!id.startsWith("\0") || file === undefined) return null;
      const packed = gzipSync(readFileSync(file), { level: 9 });
      return `export default ${JSON.stringify(packed.toString("base64"))};`;
    },
  };
}

/** What the page may do: its own script, workers of it, and nothing from any network. */
function policy(script: string) {
  const hash = createHash("sha256").update(script).digest("base64");
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}' 'wasm-unsafe-eval' blob:`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** Puts scripts and styles into index.html. */
function inline(): Plugin {
  return {
    name: "inline",
    enforce: "post",
    generateBundle(_options, bundle) {
      let script = "";
      let style = "";
      for (const [name, item] of Object.entries(bundle)) {
        if (item.type === "chunk") script += item.code.replaceAll("</script", "<\\/script");
        else if (name.endsWith(".css")) style += String(item.source);
        else continue;
        delete bundle[name];
      }
      for (const item of Object.values(bundle)) {
        if (item.type !== "asset" || !item.fileName.endsWith(".html")) continue;
        const page = String(item.source)
          .replace(/<script type="module"[^>]*><\/script>\s*/, "")
          .replace(/<link rel="stylesheet"[^>]*>\s*/, "");
        const head = `<meta http-equiv="Content-Security-Policy" content="${policy(script)}">\n<style>${style}</style>\n</head>`;
        item.source = page
          .replace("</head>", () => head)
          .replace("</body>", () => `<script type="module">${script}</script>\n</body>`);
      }
    },
  };
}

export default defineConfig({
  plugins: [modules(), inline()],
  build: {
    outDir: built("web"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 1e8,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
  worker: { format: "iife" }, // a page from file:// may start no worker that is a module,
});
