// Small drawings of buttons and legends. They say nothing to a screen reader: the texts beside them do.
import type { ComponentChildren } from "preact";
import { DASHES } from "./ink";

function Icon({ children, size = 20 }: { children: ComponentChildren; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

const solid = (d: string) => () => (
  <Icon>
    <path d={d} fill="currentColor" />
  </Icon>
);

export const PlayIcon = solid("M5 3l12 7-12 7z");
export const PauseIcon = solid("M5 3h4v14H5zM11 3h4v14h-4z");
export const AgainIcon = () => (
  <Icon>
    <path d="M15.5 6.5A6.5 6.5 0 1 0 16.5 10" fill="none" stroke="currentColor" stroke-width="2.2" />
    <path d="M17.5 2.5v5h-5z" fill="currentColor" />
  </Icon>
);
export const FirstIcon = solid("M4 4h2.4v12H4zM17 4v12l-9-6z");
export const BackIcon = solid("M13 4v12l-9-6zM14.5 4H17v12h-2.5z");
export const NextIcon = solid("M7 4v12l9-6zM3 4h2.5v12H3z");
export const LightIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="3.8" fill="currentColor" />
    <path
      d="M10 1.5v2.7M10 15.8v2.7M1.5 10h2.7M15.8 10h2.7M4 4l1.9 1.9M14.1 14.1L16 16M16 4l-1.9 1.9M5.9 14.1L4 16"
      stroke="currentColor"
      stroke-width="1.6"
    />
  </Icon>
);
export const DarkIcon = solid("M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7z");
export const AutoIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.8" />
    <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
  </Icon>
);
export const LinkIcon = () => (
  <Icon size={17}>
    <path
      d="M8.5 11.5a3.2 3.2 0 0 0 4.6.2l3-3a3.2 3.2 0 0 0-4.6-4.6l-1.3 1.3M11.5 8.5a3.2 3.2 0 0 0-4.6-.2l-3 3a3.2 3.2 0 0 0 4.6 4.6l1.3-1.3"
      fill="none"
      stroke="currentColor"
      stroke-width="1.9"
      stroke-linecap="round"
    />
  </Icon>
);
export const LogoIcon = () => (
  <Icon size={24}>
    <circle cx="10" cy="10" r="9" fill="var(--s0)" />
    <path d="M3.5 10c3.6-5 9.4-5 13 0-3.6 5-9.4 5-13 0z" fill="var(--paper)" />
    <circle cx="10" cy="10" r="2.7" fill="var(--s0)" />
  </Icon>
);

/** The line of an agent in the curves: its colour and its dashes. */
export function Line({ k }: { k: number }) {
  return (
    <svg class="icon line" width="26" height="12" viewBox="0 0 26 12" aria-hidden="true" focusable="false">
      <path
        d="M1 6h24"
        stroke={`var(--s${k})`}
        stroke-width="3"
        stroke-dasharray={DASHES[k]?.join(" ") || undefined}
        fill="none"
      />
    </svg>
  );
}

/** Marks of the pictures, for their legend. */
export const AgentMark = ({ pin }: { pin: boolean }) =>
  pin ? (
    <Icon size={14}>
      <path d="M3 3h14l-7 13z" fill="var(--agent)" />
    </Icon>
  ) : (
    <Icon size={14}>
      <circle cx="10" cy="10" r="7" fill="var(--agent)" />
    </Icon>
  );
export const StartMark = () => (
  <Icon size={14}>
    <path d="M10 3l7 13H3z" fill="currentColor" />
  </Icon>
);
export const EndMark = () => (
  <Icon size={14}>
    <path d="M1 1h18v18H1z" fill="var(--empty)" stroke="var(--line)" />
    <path d="M6 6l8 8M14 6l-8 8" stroke="currentColor" stroke-width="1.8" />
  </Icon>
);
export const EmptyMark = () => (
  <Icon size={14}>
    <path d="M1 1h18v18H1z" fill="var(--empty)" stroke="var(--line)" />
  </Icon>
);
export const WallMark = () => (
  <Icon size={14}>
    <path d="M1 1h18v18H1z" fill="var(--wall)" />
  </Icon>
);
export const ArrowMark = () => (
  <Icon size={14}>
    <path d="M1 8.5h9V3l9 7-9 7v-5.5H1z" fill="currentColor" />
  </Icon>
);
