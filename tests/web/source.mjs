// Modules of the page in Node: bundled by the page's own builder, since Node reads no TypeScript.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const web = new URL("../../web/", import.meta.url);
const { build } = createRequire(new URL("package.json", web))("esbuild");

/** The module web/src/PATH, and what it imports. */
export async function source(path) {
  const {
    outputFiles: [{ text }],
  } = await build({
    entryPoints: [fileURLToPath(new URL(`src/${path}`, web))],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    loader: { ".css": "empty" },
  });
  return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}
