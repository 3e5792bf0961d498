// What the boards of a layout with several of them are: the library's layouts have labels of states alone.
import type { Description } from "../core/messages";
import { parseSpec } from "../spec";

/** A text in the middle of a place, in units of the layout. */
export interface Heading {
  x: number;
  y: number;
  text: string;
}

const STANDS = ["R", "G", "Y", "B"];
const TOWN = 6; // cells from one town of the taxi to the next: five, and a lane

/** The texts, each in the lane below its board, and what they mean; none for most layouts. */
export function headingsOf({ spec, layout }: Description): { meaning: string; headings: Heading[] } {
  if (layout === null || parseSpec(spec).name !== "taxi") return { meaning: "", headings: [] };
  const headings = [...STANDS, "taxi"].flatMap((from, row) =>
    STANDS.map((to, column) => ({ x: column * TOWN + 2.5, y: row * TOWN + 5.5, text: `${from} → ${to}` })),
  );
  return { meaning: "below each town: where the passenger is → where they want to be", headings };
}
