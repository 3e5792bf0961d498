// What the editors of environments share: numbers of the spec, slips, undo and redo.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { edit, edited, redo, redoable, refused, undo, undoable, valueOf, withValues } from "../edit";
import { short } from "./draw";
import { Entry } from "./Entry";
import { closed, useValue } from "./value";

/** A number of the spec. */
export function Value({ name, of, unit }: { name: string; of: string; unit?: string }) {
  const id = `edit-${of}`;
  const value = valueOf(edited.value, of);
  const { problem, enter } = useValue({
    what: "env",
    current: () => edited.peek(),
    key: of,
    value,
    put: (text) => edit(withValues(edited.peek(), { [of]: text })),
  });
  return (
    <div class={`value ${of}`}>
      <label for={id}>{name}</label>
      <Entry
        id={id}
        value={value}
        inputMode="decimal"
        aria-description={unit}
        aria-invalid={problem !== ""}
        set={enter}
      />
      {problem !== "" && (
        <strong class="problem" role="alert">
          {closed(problem)}
        </strong>
      )}
    </div>
  );
}

/** The probability of a slip, with a rose of where a move then goes. */
export function Slip({ rose }: { rose: (slip: number) => ComponentChildren }) {
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

export const Arrow = ({ turn, p }: { turn: number; p: number }) =>
  p > 0 ? (
    <g transform={`rotate(${turn})`} opacity={0.25 + 0.75 * p}>
      <path d={`M0,0V${-6 - 12 * p}`} />
      <path class="tip" d={`M-3.5,${-5 - 12 * p}L0,${-11 - 12 * p}L3.5,${-5 - 12 * p}Z`} />
    </g>
  ) : null;

/** Undo and redo, where no field has the focus. */
export function keys(event: KeyboardEvent) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (event.target as HTMLElement).closest("input, textarea"))
    return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
}

export function History({ children }: { children?: ComponentChildren }) {
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

export const Refused = () =>
  refused.value === "" ? null : (
    <p class="problem" role="alert">
      {closed(refused.value)} The page keeps the last map that works.
    </p>
  );
