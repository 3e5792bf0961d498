// A field for text or a number.
import { type InputHTMLAttributes } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "onKeyDown" | "role" | "type"> & {
  value: string;
  /** Why a text cannot be taken; null if it can. */
  check?: (text: string) => string | null;
  set: (text: string) => void;
};

/** What a reader types is kept until it is entered, however often the page is drawn meanwhile: the field is written only
 * when its value becomes another. Escape brings the value back. */
export function Entry({ value, check, set, ...others }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current!.value = value;
    field.current!.setCustomValidity("");
  }, [value]);
  const enter = (input: HTMLInputElement) => {
    const text = input.value.trim();
    const problem = check?.(text) ?? null;
    input.setCustomValidity(problem ?? "");
    if (problem === null) set(text);
    else input.reportValidity();
  };
  const leave = (event: KeyboardEvent) => {
    const input = field.current!;
    if (event.key !== "Escape" || input.value === value) return;
    event.preventDefault();
    input.value = value;
    enter(input);
  };
  return (
    <input
      ref={field}
      autocomplete="off"
      spellcheck={false}
      {...others}
      onKeyDown={leave}
      onChange={(event) => enter(event.currentTarget)}
    />
  );
}
