// Sizes of what is drawn.
import { useEffect, useRef, useState } from "preact/hooks";

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
