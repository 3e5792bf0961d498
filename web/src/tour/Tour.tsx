// The guided tour: a question first, then the experiment that answers it.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { home, type Setup } from "../setup";
import { change, pause, play, seek, setSpeed, setup, startRuns } from "../state";
import { stops, type Stop } from "./stops";
import "./tour.css";

const SECONDS = 10; // that a run takes to watch

/** What the reader chose, by stop. */
const chosen = signal<ReadonlyMap<string, number>>(new Map());
/** The stop at which the reader left. */
const last = signal(stops[0].id);

const link = (id: string) => `#tour=${id}`;
const letter = (k: number) => String.fromCharCode(65 + k);
const isRight = ({ id, right }: Stop) => chosen.value.get(id) === right;

/** *emphasis* and `code`; with a stop "step 36" is a place of its run, to which one can go. */
function rich(text: string, stop: Stop | null = null): ComponentChildren[] {
  return text.split(/(\*[^*]+\*|`[^`]+`|\bstep \d[\d,]*\b)/).map((part) => {
    const inner = part.slice(1, -1);
    if (part.startsWith("*")) return <em>{inner}</em>;
    if (part.startsWith("`")) return <code>{inner}</code>;
    if (stop === null || !/^step \d/.test(part)) return part;
    return (
      <button class="place" title="Go there" onClick={() => visit(stop, Number(part.replace(/\D/g, "")))}>
        {part}
      </button>
    );
  });
}

/** Has the reader changed what is run? Where one looks (view, quantity, step) does not matter. */
function changed(now: Setup): boolean {
  const own = home(now.tour);
  const keys = ["env", "model", "agents", "steps", "seed", "replicate"] as const;
  return keys.some((key) => JSON.stringify(now[key]) !== JSON.stringify(own[key]));
}

/** Runs the stop's own experiment from its first step. */
async function run({ id }: Stop) {
  const own = home(id);
  change(own);
  setSpeed(matchMedia("(prefers-reduced-motion: reduce)").matches ? Infinity : own.steps / SECONDS);
  await seek(0);
  if (setup.value.tour === id) await play();
}

/** Goes to a step of the stop's own experiment, and stays there. */
async function visit({ id }: Stop, t: number) {
  if (changed(setup.value) || setup.value.view !== "play") change({ ...home(id), show: setup.value.show });
  show();
  await pause();
  await seek(t);
}

/** The run from its top: on a phone it is below the text, and where the text is long above what is seen. */
function show() {
  const main = document.querySelector("main");
  if (main === null) return;
  const { top } = main.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) main.scrollIntoView({ block: "start" });
}

function manyRuns({ id }: Stop) {
  change({ ...home(id), view: "runs" });
  const room = document.querySelector("main")?.clientWidth ?? 700;
  void startRuns(Math.min(room - 32, 900));
  requestAnimationFrame(show);
}

function choose(stop: Stop, k: number) {
  if (chosen.value.has(stop.id)) return;
  chosen.value = new Map([...chosen.value, [stop.id, k]]);
  void run(stop);
}

function List({ now }: { now: Stop }) {
  return (
    <nav aria-label="Stops of the tour">
      <ol>
        {stops.map((stop, k) => {
          const told = chosen.value.has(stop.id) ? (isRight(stop) ? ", answered right" : ", answered wrong") : "";
          return (
            <li key={stop.id}>
              <a
                href={link(stop.id)}
                title={stop.title}
                class={told && "answered"}
                aria-current={stop === now ? "step" : undefined}
                aria-label={`Stop ${k + 1}: ${stop.title}${told}`}>
                {k + 1}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function Choices({ stop }: { stop: Stop }) {
  const mine = chosen.value.get(stop.id);
  const answered = mine !== undefined;
  const marks = (k: number) =>
    k === stop.right
      ? k === mine
        ? "your answer: right"
        : "the right answer"
      : k === mine
        ? "your answer: not right"
        : "";
  return (
    <div class="choices" role="group" aria-labelledby="tour-question">
      {stop.choices.map((text, k) => (
        <button
          key={`${stop.id} ${k}`}
          aria-disabled={answered}
          class={answered ? (k === stop.right ? "right" : k === mine ? "wrong" : "other") : ""}
          onClick={() => choose(stop, k)}>
          <span class="letter" aria-hidden="true">
            {answered && k === stop.right ? "✓" : answered && k === mine ? "✗" : letter(k)}
          </span>
          <span>
            {text}
            {answered && marks(k) && <small>{marks(k)}</small>}
          </span>
        </button>
      ))}
    </div>
  );
}

function verdict(stop: Stop): string {
  const mine = chosen.value.get(stop.id);
  if (mine === undefined) return "";
  return mine === stop.right
    ? "Right. The run has started."
    : `Not quite: it is ${letter(stop.right)}. The run has started.`;
}

function Answer({ stop }: { stop: Stop }) {
  const { runs } = home(stop.id);
  return (
    <div class="answer">
      {stop.answer.split("\n\n").map((text) => (
        <p key={text}>{rich(text, stop)}</p>
      ))}
      <p class="look">
        <b>Look at</b> {rich(stop.look, stop)}
      </p>
      <div class="buttons">
        <button
          onClick={() => {
            void run(stop);
            show();
          }}>
          Watch it again
        </button>
        <button onClick={() => manyRuns(stop)}>Make all {runs} runs</button>
        {stop.theory && (
          <button
            onClick={() => {
              change({ view: "theory" });
              requestAnimationFrame(show);
            }}>
            See the theorems
          </button>
        )}
      </div>
    </div>
  );
}

function Score() {
  const right = stops.filter(isRight).length;
  const answered = chosen.value.size;
  if (answered < stops.length)
    return (
      <p class="score">
        {answered} of {stops.length} questions answered, {right} right.
      </p>
    );
  return (
    <p class="score">
      You had {right} of {stops.length} right. The experiments are yours now: change anything, and copy the link.
    </p>
  );
}

function Ways({ at }: { at: number }) {
  const [before, next] = [stops[at - 1], stops[at + 1]];
  const answered = chosen.value.has(stops[at].id);
  return (
    <div class="ways">
      {before ? (
        <a class="button" href={link(before.id)}>
          Back
        </a>
      ) : (
        <span />
      )}
      {next ? (
        <a class={answered ? "button primary" : "button"} href={link(next.id)}>
          {answered ? `Next: ${next.title}` : "Skip"}
        </a>
      ) : (
        <button class={answered ? "primary" : ""} onClick={leave}>
          End the tour
        </button>
      )}
    </div>
  );
}

function leave() {
  last.value = setup.value.tour ?? last.value;
  change({ tour: null });
}

/** In the head of the page. */
export function TourLink() {
  if (setup.value.tour !== null) return <button onClick={leave}>Leave the tour</button>;
  return (
    <a class="button" href={link(last.value)}>
      Guided tour
    </a>
  );
}

export function Tour() {
  const { tour } = setup.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const previous = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    if (previous.current !== undefined && tour !== null) heading.current?.focus(); // not when the page opens
    previous.current = tour;
  }, [tour]);
  const at = stops.findIndex(({ id }) => id === tour);
  if (at < 0) return null;
  const stop = stops[at];
  return (
    <section class="tour card" aria-labelledby="tour-title">
      <p class="where">
        Tour of the paper{" "}
        <span>
          {at + 1} of {stops.length}
        </span>
      </p>
      <List now={stop} />
      <h2 id="tour-title" ref={heading} tabIndex={-1}>
        {stop.title}
      </h2>
      <p>{rich(stop.lead)}</p>
      <p id="tour-question" class="question">
        {rich(stop.question)}
      </p>
      <Choices stop={stop} />
      <p role="status" class={`said ${isRight(stop) ? "good" : ""}`}>
        {verdict(stop)}
      </p>
      {chosen.value.has(stop.id) && <Answer stop={stop} />}
      {changed(setup.value) && (
        <p class="changed">
          You have changed the experiment. <a href={link(stop.id)}>Back to that of this stop</a>
        </p>
      )}
      {at === stops.length - 1 && chosen.value.has(stop.id) && <Score />}
      <Ways at={at} />
    </section>
  );
}
