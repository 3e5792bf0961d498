// A chain as a picture that can be drawn longer or shorter. It changes the spec, so that the command gives the same run.
import { useState } from "preact/hooks";
import { edit, edited, valueOf, withValues } from "../edit";
import { Arrow, History, Refused, Slip, Value } from "./editing";

const ChainRose = (slip: number) => (
  <svg class="rose" viewBox="-30 -10 60 20" aria-hidden="true">
    <Arrow turn={90} p={1 - slip} />
    <Arrow turn={-90} p={slip} />
  </svg>
);

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

export function Chain() {
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
