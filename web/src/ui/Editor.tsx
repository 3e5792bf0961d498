// A grid or a chain as a picture that can be changed. It changes the spec, so that the command gives the same run.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { edit, edited, redo, redoable, refused, undo, undoable, valueOf, withValues } from "../edit";
import { MOST_MAP, READY, resized, rowsOf, sizeOf } from "../maps";
import { parseSpec } from "../spec";
import { setup } from "../state";
import { short } from "./draw";
import { Entry } from "./Entry";
import "./editor.css";

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

/** A number of the spec. */
function Value({ name, of, unit }: { name: string; of: string; unit?: string }) {
  const id = `edit-${of}`;
  const spec = edited.value;
  return (
    <label class={`value ${of}`} for={id}>
      <span>{name}</span>
      <Entry
        id={id}
        value={valueOf(spec, of)}
        inputMode="decimal"
        aria-description={unit}
        set={(text) => edit(withValues(edited.peek(), { [of]: text }))}
      />
    </label>
  );
}

/** The probability of a slip, with a rose of where a move then goes. */
function Slip({ rose }: { rose: (slip: number) => ComponentChildren }) {
  const set = Number(valueOf(edited.value, "slip"));
  const [held, hold] = useState<number | null>(null);
  const slip = held ?? (Number.isFinite(set) ? set : 0);
  return (
    <div class="slip">
      <label for="edit-slip">Slip</label>
      <input
        id="edit-slip"
        type="range"
        min={0}
        max={1}
        step={0.01}
        value={slip}
        onInput={(event) => hold(Number(event.currentTarget.value))}
        onChange={(event) => (hold(null), edit(withValues(edited.peek(), { slip: event.currentTarget.value })))}
        aria-valuetext={`${Math.round(100 * slip)} percent`}
      />
      <output for="edit-slip">{short(slip)}</output>
      {rose(slip)}
    </div>
  );
}

const Arrow = ({ turn, p }: { turn: number; p: number }) =>
  p > 0 ? (
    <g transform={`rotate(${turn})`} opacity={0.25 + 0.75 * p}>
      <path d={`M0,0V${-6 - 12 * p}`} />
      <path class="tip" d={`M-3.5,${-5 - 12 * p}L0,${-11 - 12 * p}L3.5,${-5 - 12 * p}Z`} />
    </g>
  ) : null;

const GridRose = (slip: number) => (
  <svg class="rose" viewBox="-20 -30 40 34" aria-hidden="true">
    <Arrow turn={0} p={1 - slip} />
    <Arrow turn={90} p={slip / 2} />
    <Arrow turn={-90} p={slip / 2} />
  </svg>
);
const ChainRose = (slip: number) => (
  <svg class="rose" viewBox="-30 -10 60 20" aria-hidden="true">
    <Arrow turn={90} p={1 - slip} />
    <Arrow turn={-90} p={slip} />
  </svg>
);

function keys(event: KeyboardEvent) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (event.target as HTMLElement).closest("input, textarea"))
    return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
}

function History({ children }: { children?: ComponentChildren }) {
  return (
    <div class="buttons">
      <button onClick={undo} disabled={!undoable.value} aria-keyshortcuts="Control+Z">
        Undo
      </button>
      <button onClick={redo} disabled={!redoable.value} aria-keyshortcuts="Control+Y">
        Redo
      </button>
      {children}
    </div>
  );
}

const Refused = () =>
  refused.value === "" ? null : (
    <p class="problem" role="alert">
      {refused.value} The page keeps the last map that works.
    </p>
  );

// ---- grid ----

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
function Grid() {
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

// ---- chain ----

const LEAST = 2;
const MOST_DRAWN = 25;
const NEXT = 10; // pixels of a drag for one state more

/** The chain, with a handle at its end that makes it longer or shorter. */
function Links({ n, set }: { n: number; set: (n: number) => void }) {
  const [held, hold] = useState<{ from: number; n: number } | null>(null);
  const shown = held?.n ?? n;
  const drawn = Math.min(shown, MOST_DRAWN);
  const wide = 262 / (drawn - 1);
  const radius = Math.min(8, wide * 0.42);
  const key = (event: KeyboardEvent) => {
    const to: Record<string, number> = {
      ArrowRight: n + 1,
      ArrowUp: n + 1,
      ArrowLeft: n - 1,
      ArrowDown: n - 1,
      PageUp: n + 5,
      PageDown: n - 5,
      Home: LEAST,
      End: Math.max(n, MOST_DRAWN),
    };
    if (!(event.key in to)) return;
    event.preventDefault();
    set(Math.max(LEAST, to[event.key]));
  };
  const grab = (event: PointerEvent) => {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    hold({ from: event.clientX - NEXT * n, n });
  };
  const drag = (event: PointerEvent) =>
    held && hold({ ...held, n: Math.max(LEAST, Math.round((event.clientX - held.from) / NEXT)) });
  const drop = () => {
    if (held) set(held.n);
    hold(null);
  };
  return (
    <svg class="links" viewBox="0 0 300 34" role="group" aria-label={`Chain of ${n} states`}>
      <path d="M10,17H290" />
      {Array.from({ length: drawn }, (_, i) => (
        <circle
          key={i}
          cx={10 + i * wide}
          cy={17}
          r={radius}
          class={i === 0 ? "left" : i === drawn - 1 ? "right" : shown > MOST_DRAWN && i >= drawn - 4 ? "more" : ""}
        />
      ))}
      {held && (
        <text x={141} y={8} text-anchor="middle">
          {held.n} states
        </text>
      )}
      <g
        class="handle"
        role="slider"
        tabindex={0}
        aria-label="Number of states"
        aria-valuenow={n}
        aria-valuemin={LEAST}
        aria-valuemax={Math.max(n, MOST_DRAWN)}
        transform="translate(291 17)"
        onKeyDown={key}
        onPointerDown={grab}
        onPointerMove={drag}
        onPointerUp={drop}
        onPointerCancel={() => hold(null)}>
        <rect x={-9} y={-17} width={18} height={34} fill="transparent" />
        <rect class="grip" x={-5} y={-12} width={10} height={24} rx={3} />
        <path d="M-1.5,-5V5M1.5,-5V5" />
      </g>
    </svg>
  );
}

function Chain() {
  const n = Number(valueOf(edited.value, "n"));
  const set = (value: number) => edit(withValues(edited.peek(), { n: String(value) }));
  return (
    <>
      {Number.isInteger(n) && n >= LEAST && <Links n={n} set={set} />}
      <div class="values ends">
        <Value name="Left" of="left" unit="reward at the left end" />
        <Value name="States" of="n" />
        <Value name="Right" of="right" unit="reward at the right end" />
      </div>
      <Refused />
      <Slip rose={ChainRose} />
      <History />
    </>
  );
}

/** The editor of the environment that is chosen, if its family has one. */
export function Editor() {
  const { name } = parseSpec(edited.value);
  if (name !== "grid" && name !== "chain") return null;
  const editor = (
    <div class="editor" role="group" aria-label={`Edit the ${name}`} onKeyDown={keys}>
      {name === "grid" ? <Grid /> : <Chain />}
    </div>
  );
  if (name === "chain" || setup.value.view !== "hand") return editor;
  return (
    <details>
      <summary>Edit the map (it shows the hidden world)</summary>
      {editor}
    </details>
  );
}
