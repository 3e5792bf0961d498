// Which pictures there are, for the key to them.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Pictures on the page, and how many of them show a policy by the colours of actions: the key to them says which it is. */
export const pictures = signal({ all: 0, coloured: 0 });

/** Counts a picture while it is there. */
export function useCounted(coloured: boolean) {
  useEffect(() => {
    const count = (by: number) => {
      const { all, coloured: some } = pictures.peek();
      pictures.value = { all: all + by, coloured: some + (coloured ? by : 0) };
    };
    count(1);
    return () => count(-1);
  }, [coloured]);
}
