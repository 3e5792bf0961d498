// What ESLint asks of TypeScript and JavaScript (scripts/lint-web): no dead code, no promise that nobody waits for, whole
// lists of what hooks depend on. How it looks is Prettier's business.
import { fileURLToPath } from "node:url";
import { require } from "./tests/page/packages.mjs";

const { defineConfig } = require("eslint/config");
const js = require("@eslint/js");
const hooks = require("eslint-plugin-react-hooks");
const ts = require("typescript-eslint");

const root = fileURLToPath(new URL(".", import.meta.url));
const names = (text) => Object.fromEntries(text.split(" ").map((name) => [name, "readonly"]));
const everywhere = names(
  "Blob TextDecoder TextEncoder URL WebAssembly atob clearInterval console fetch performance setInterval setTimeout",
);
const node = names("Buffer process");
const page = names(
  "DOMPoint DataTransfer DragEvent File Image IntersectionObserver MutationObserver Node Worker addEventListener document " +
    "getComputedStyle innerWidth location matchMedia navigator queueMicrotask requestAnimationFrame scrollY self window",
);

export default defineConfig(
  { ignores: ["build/", "web/node_modules/", "**/.venv/"] },
  {
    files: ["**/*.mjs", "**/*.js", "**/*.ts", "**/*.tsx"],
    extends: [js.configs.recommended],
    rules: {
      "no-control-regex": "off", // that is what these look for
      "no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
    },
  },
  { files: ["**/*.mjs", "**/*.js"], languageOptions: { globals: { ...everywhere, ...node, ...page } } },
  {
    files: ["web/**/*.ts", "web/**/*.tsx"],
    extends: [ts.configs.recommendedTypeChecked],
    plugins: { "react-hooks": hooks },
    languageOptions: { parserOptions: { project: "web/tsconfig.json", tsconfigRootDir: root } },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }], // handlers of events
    },
  },
);
