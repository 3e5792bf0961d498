// Maps of the family `grid`: rows of '#', '.', S, G and P, separated by '/'.

export const MOST_MAP = 511; // characters of a map in a spec

/** Rows of equal length, of the characters of a grid; null if the text is no such map. */
export function rowsOf(map: string): string[] | null {
  const rows = map.split("/");
  return rows.every((row) => row.length > 0 && row.length === rows[0].length && /^[#.SGP]+$/.test(row)) ? rows : null;
}

export const sizeOf = (rows: number, columns: number) => rows * (columns + 1) - 1;

/** The map with so many rows and columns: cut, or filled with free cells, at the right and below. */
export function resized(rows: string[], height: number, width: number): string[] {
  return Array.from({ length: height }, (_, y) => (rows[y] ?? "").slice(0, width).padEnd(width, "."));
}

export interface Ready {
  name: string;
  map: string;
  values: Record<string, string>;
}

export const READY: Ready[] = [
  { name: "Empty room", map: "......./......./......./S.....G/......./......./.......", values: {} },
  { name: "Corridor with a trap", map: "#########/S.......G/#...P...#/#########", values: { slip: "0.2" } },
  {
    name: "Four rooms",
    map: "S....#...../.....#...../.........../.....#...../.....#...../#.####.####/.....#...../.....#...../.........../.....#...../.....#....G",
    values: {},
  },
  { name: "Deep corridor", map: "PS....................G", values: {} },
  {
    name: "Maze",
    map: "S#.......#./.#.#.###.#./.#.#.#.#.#./.#.#.#.#.#./.#.#.#.#.../.###.#.###./.....#...#./######.###./.......#.../.#.#####.##/.#........G",
    values: {},
  },
];

const LAKES: Record<string, string> = {
  "4x4": "SFFF/FHFH/FFFH/HFFG",
  "8x8": "SFFFFFFF/FFFFFFFF/FFFHFFFF/FFFFFHFF/FFFHFFFF/FHHFFFHF/FHFFHFHF/FFFHFFFG",
};

/** The parameters of a grid that is the same lake, from those of a frozen-lake: holes are pits, and slipping to the sides is
 * what `success` leaves. The actions have another order, so that runs differ. Null if the map cannot be read. */
export function lakeAsGrid(lake: (key: string) => string): Record<string, string> | null {
  const map = (LAKES[lake("map")] ?? lake("map")).replaceAll("F", ".").replaceAll("H", "P");
  if (rowsOf(map) === null) return null;
  const slip = lake("slippery") === "on" ? String(1 - Number(lake("success"))) : "0";
  const same = Object.fromEntries(["horizon", "gamma", "average"].map((key) => [key, lake(key)])); // what counts
  return { map, slip, step: lake("frozen"), goal: lake("goal"), pit: lake("hole"), ...same };
}
