// A picture of all states: drawn when something in it has changed, pointed at by pointer and keyboard.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Description, Quantity } from "../core/messages";
import { dark, pointed } from "../state";
import { Board } from "./board";
import { sized, useWidth } from "./canvas";
import { paint } from "./draw";
import type { Edge } from "./edges";
import { ink } from "./ink";
import { useCounted } from "./pictures";
import type { Scale } from "./scale";
import { speak } from "./speak";

export interface Drawn {
  description: Description;
  show: Quantity;
  values: Float64Array;
  policy: Float64Array | null;
  s: number | null;
  /** The state that an update changed: marked where none is pointed at. */
  changed: number | null;
  scale: Scale;
  edges: Edge[];
}

const KEYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function World({ drawn, label, most, hint }: { drawn: Drawn; label: string; most: number; hint: string }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { description, show, values, policy, s, changed, scale, edges } = drawn;
  const pairs = show !== "value";
  const board = useMemo(
    () => new Board(description, Math.max(width, 60), pairs, most),
    [description, width, pairs, most],
  );
  useCounted(show === "policy" && board.coloured);
  const at = pointed.value;
  const night = dark.value;
  useLayoutEffect(() => {
    if (canvas.current === null || width === 0) return;
    const g = sized(canvas.current, width, board.height);
    paint(g, { board, show, values, policy, s, pointed: at ?? changed, scale, ink: ink(night), edges });
  }, [board, width, show, values, policy, s, at, changed, scale, night, edges]);

  const point = (event: PointerEvent) => {
    const { left, top } = canvas.current!.getBoundingClientRect();
    pointed.value = board.at(event.clientX - left, event.clientY - top);
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = at ?? s ?? description.starts[0]?.[0] ?? 0;
    const way = KEYS[event.key];
    let next: number | null;
    if (way) next = at === null ? from : board.toward(from, ...way);
    else if (event.key === "Home") next = 0;
    else if (event.key === "End") next = description.n_states - 1;
    else if (event.key === "Escape") next = null;
    else return;
    event.preventDefault();
    pointed.value = next;
    if (next !== null) speak(next);
  };
  return (
    <div
      ref={box}
      class="world"
      role="application"
      aria-roledescription="picture of all states"
      tabIndex={0}
      aria-label={label}
      aria-describedby={hint}
      onKeyDown={key}>
      <canvas
        ref={canvas}
        style={{ width: `${width}px`, height: `${board.height}px` }}
        role="img"
        aria-label={label}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={(event) => event.pointerType === "mouse" && (pointed.value = null)}
      />
    </div>
  );
}
