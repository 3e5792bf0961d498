// A grid as a picture that can be painted. It changes the spec, so that the command gives the same run.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { edit, edited, valueOf, withValues } from "../edit";
import { MOST_MAP, READY, resized, rowsOf, sizeOf } from "../maps";
import { Arrow, History, Refused, Slip, Value } from "./editing";

const TILES = [
  { mark: "#", name: "wall", key: "w" },
  { mark: ".", name: "free", key: "f" },
  { mark: "S", name: "start", key: "s" },
  { mark: "G", name: "goal", key: "g" },
  { mark: "P", name: "pit", key: "p" },
];
const FREE = ".";
const tileOf = (mark: string) => TILES.find((tile) => tile.mark === mark) ?? TILES[1];
const sign = (mark: string) => (mark === "#" || mark === FREE ? "" : mark);

const GridRose = (slip: number) => (
  <svg class="rose" viewBox="-20 -30 40 34" aria-hidden="true">
    <Arrow turn={0} p={1 - slip} />
    <Arrow turn={90} p={slip / 2} />
    <Arrow turn={-90} p={slip / 2} />
  </svg>
);
function Palette({ brush, choose }: { brush: string; choose: (mark: string) => void }) {
  return (
    <div class="palette" role="group" aria-label="Paint with">
      {TILES.map(({ mark, name, key }) => (
        <button
          key={mark}
          aria-pressed={brush === mark}
          onClick={() => choose(mark)}
          title={`Paint ${name} (key ${key})`}>
          <i class={`tile ${name}`} aria-hidden="true">
            {sign(mark)}
          </i>
          {name}
        </button>
      ))}
    </div>
  );
}

function Size({
  name,
  value,
  set,
  grow,
  shrink,
}: {
  name: string;
  value: number;
  set: (value: number) => void;
  grow: boolean;
  shrink: boolean;
}) {
  return (
    <div class="size" role="group" aria-label={name}>
      <span>{name}</span>
      <button aria-label={`Remove one of the ${name.toLowerCase()}`} disabled={!shrink} onClick={() => set(value - 1)}>
        −
      </button>
      <output>{value}</output>
      <button aria-label={`Add one to the ${name.toLowerCase()}`} disabled={!grow} onClick={() => set(value + 1)}>
        +
      </button>
    </div>
  );
}

interface Stroke {
  rows: string[];
  mark: string;
}

const painted = (rows: string[], y: number, x: number, mark: string) =>
  rows.map((row, i) => (i === y ? row.slice(0, x) + mark + row.slice(x + 1) : row));

/** The cells: painted by a pointer that is pressed and moved, or by keys. */
function Cells({ rows, brush, paint }: { rows: string[]; brush: string; paint: (rows: string[]) => void }) {
  const [stroke, draw] = useState<Stroke | null>(null);
  const [[cy, cx], go] = useState([0, 0]);
  const [said, say] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const shown = stroke?.rows ?? rows;
  const [cursorY, cursorX] = [Math.min(cy, rows.length - 1), Math.min(cx, rows[0].length - 1)];

  const cellAt = (event: PointerEvent) => {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-cell]");
    return found && box.current!.contains(found) ? found.dataset.cell!.split(",").map(Number) : null;
  };
  const press = (event: PointerEvent) => {
    const at = cellAt(event);
    if (!at || event.button !== 0) return;
    const [y, x] = at;
    const mark = rows[y][x] === brush ? FREE : brush; // a second click takes it away
    go([y, x]);
    draw({ rows: painted(rows, y, x, mark), mark });
  };
  const drag = (event: PointerEvent) => {
    const at = stroke && cellAt(event);
    if (at && stroke.rows[at[0]][at[1]] !== stroke.mark)
      draw({ ...stroke, rows: painted(stroke.rows, at[0], at[1], stroke.mark) });
  };
  const lift = () => {
    if (stroke) paint(stroke.rows);
    draw(null);
  };
  const put = (mark: string) => {
    paint(painted(rows, cursorY, cursorX, mark));
    say(`row ${cursorY + 1}, column ${cursorX + 1}: ${tileOf(mark).name}`);
  };
  const walk = (y: number, x: number) => {
    const [ny, nx] = [Math.max(0, Math.min(rows.length - 1, y)), Math.max(0, Math.min(rows[0].length - 1, x))];
    go([ny, nx]);
    box.current!.querySelector<HTMLElement>(`[data-cell="${ny},${nx}"]`)?.focus();
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Record<string, [number, number]> = {
      ArrowUp: [cursorY - 1, cursorX],
      ArrowDown: [cursorY + 1, cursorX],
      ArrowLeft: [cursorY, cursorX - 1],
      ArrowRight: [cursorY, cursorX + 1],
      Home: [cursorY, 0],
      End: [cursorY, Infinity],
      PageUp: [0, cursorX],
      PageDown: [Infinity, cursorX],
    };
    const tile = TILES.find((each) => each.key === event.key.toLowerCase());
    if (event.key in moves) walk(...moves[event.key]);
    else if (tile) put(tile.mark);
    else if (event.key === " " || event.key === "Enter") put(rows[cursorY][cursorX] === brush ? FREE : brush);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div
        ref={box}
        class="cells"
        role="grid"
        aria-label="Map"
        aria-describedby="cells-help"
        style={{ "--columns": rows[0].length, "--rows": rows.length }}
        onPointerDown={press}
        onPointerMove={drag}
        onPointerUp={lift}
        onPointerCancel={lift}
        onPointerLeave={lift}
        onKeyDown={key}>
        {shown.map((row, y) => (
          <div role="row" key={y}>
            {[...row].map((mark, x) => (
              <div
                role="gridcell"
                key={x}
                data-cell={`${y},${x}`}
                class={`tile ${tileOf(mark).name}`}
                tabIndex={y === cursorY && x === cursorX ? 0 : -1}
                aria-label={`${tileOf(mark).name}, row ${y + 1}, column ${x + 1}`}
                onFocus={() => go([y, x])}>
                {sign(mark)}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p id="cells-help" class="help">
        Click or drag to paint; by keyboard arrows move, {TILES.map(({ key: letter }) => letter).join(", ")} paint.
      </p>
      <p class="unseen" aria-live="polite">
        {said}
      </p>
    </>
  );
}

function GridEditor({ rows, enlarge }: { rows: string[]; enlarge: ComponentChildren }) {
  const [brush, choose] = useState("#");
  const [height, width] = [rows.length, rows[0].length];
  const paint = (next: string[]) => edit(withValues(edited.peek(), { map: next.join("/") }));
  const ready = (name: string) => {
    const found = READY.find((each) => each.name === name);
    if (found) edit(withValues(edited.peek(), { map: found.map, slip: "", ...found.values }));
  };
  const marks = rows.join("");
  const starts = marks.split("S").length - 1;
  return (
    <>
      <select
        aria-label="Ready maps"
        value=""
        onChange={(event) => (ready(event.currentTarget.value), (event.currentTarget.value = ""))}>
        <option value="">Ready maps …</option>
        {READY.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Palette brush={brush} choose={choose} />
      <Cells rows={rows} brush={brush} paint={paint} />
      <Refused />
      {starts > 1 && <p class="help">{starts} starts: an episode begins at one of them, each equally likely.</p>}
      {!/[GP]/.test(marks) && <p class="help">Without a goal or a pit an episode never ends.</p>}
      <div class="sizes">
        <Size
          name="Rows"
          value={height}
          set={(value) => paint(resized(rows, value, width))}
          grow={sizeOf(height + 1, width) <= MOST_MAP}
          shrink={height > 1}
        />
        <Size
          name="Columns"
          value={width}
          set={(value) => paint(resized(rows, height, value))}
          grow={sizeOf(height, width + 1) <= MOST_MAP}
          shrink={width > 1}
        />
      </div>
      <div class="values">
        <Value name="Goal" of="goal" unit="reward of reaching a goal" />
        <Value name="Pit" of="pit" unit="reward of falling into a pit" />
        <Value name="Step" of="step" unit="reward of every other step" />
      </div>
      <Slip rose={GridRose} />
      <History>{enlarge}</History>
    </>
  );
}

/** The grid in the sidebar, or large in a dialog. */
export function Grid() {
  const [large, set] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (large) dialog.current?.showModal();
  }, [large]);
  const rows = rowsOf(valueOf(edited.value, "map"));
  if (rows === null) return <Refused />;
  if (!large) return <GridEditor rows={rows} enlarge={<button onClick={() => set(true)}>Larger</button>} />;
  return (
    <dialog ref={dialog} class="editor large" aria-label="Map" onClose={() => set(false)}>
      <GridEditor
        rows={rows}
        enlarge={
          <button class="primary" onClick={() => dialog.current?.close()}>
            Done
          </button>
        }
      />
    </dialog>
  );
}
