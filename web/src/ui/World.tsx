// A picture of all states: drawn when something in it has changed, pointed at by pointer and keyboard.
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Description, Quantity } from "../core/messages";
import { dark, pointed } from "../state";
import { Board } from "./board";
import { paint } from "./draw";
import type { Edge } from "./edges";
import { ink } from "./ink";
import type { Scale } from "./scale";
import { speak } from "./speak";

/** Width of an element, in pixels of the page. */
export function useWidth<T extends HTMLElement>() {
  const at = useRef<T>(null);
  const [width, set] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => set(Math.floor(entry.contentRect.width)));
    if (at.current) watch.observe(at.current);
    return () => watch.disconnect();
  }, []);
  return [at, width] as const;
}

/** The canvas in its size; it is made anew only when that changes. */
export function sized(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const g = canvas.getContext("2d")!;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  return g;
}

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

/** Pictures on the page, and how many of them show a policy by the colours of actions: the key to them says which it is. */
export const pictures = signal({ all: 0, coloured: 0 });

function useCounted(coloured: boolean) {
  useEffect(() => {
    const count = (by: number) => {
      const { all, coloured: some } = pictures.peek();
      pictures.value = { all: all + by, coloured: some + (coloured ? by : 0) };
    };
    count(1);
    return () => count(-1);
  }, [coloured]);
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
