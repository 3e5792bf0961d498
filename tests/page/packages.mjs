// The packages of tests/page, which scripts/with-browser installs into build/page.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.env.FARSIGHT_PAGE ?? fileURLToPath(new URL("../../build/page", import.meta.url));
export const require = createRequire(join(folder, "package.json"));
