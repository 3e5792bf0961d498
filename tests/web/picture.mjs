// The picture of the playground in README.md: node tests/web/picture.mjs FILE (by studies/gallery, after make web).
import { openPage, start, stop } from "./page.mjs";

const LINK = "env=frozen-lake:map=8x8&agent=directed-delayed-q&agent=count-q&steps=100000&show=value&at=60000";

await start();
const page = await openPage({ link: LINK, viewport: { width: 1280, height: 860 } });
await page.getByText("step 60,000 of 100,000").waitFor();
await page.screenshot({ path: process.argv[2] });
await stop();
