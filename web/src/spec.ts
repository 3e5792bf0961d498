// Specs: name:key=value,key=value, cut at every comma as the library does.

export interface Spec {
  name: string;
  values: Map<string, string>;
}

export function parseSpec(text: string): Spec {
  const colon = text.indexOf(":");
  if (colon < 0) return { name: text, values: new Map() };
  const pairs = text
    .slice(colon + 1)
    .split(",")
    .map((part): [string, string] => {
      const at = part.indexOf("=");
      return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
    });
  return { name: text.slice(0, colon), values: new Map(pairs.filter(([key]) => key !== "")) };
}

export function printSpec({ name, values }: Spec): string {
  const pairs = [...values].map(([key, value]) => `${key}=${value}`);
  return pairs.length > 0 ? `${name}:${pairs.join(",")}` : name;
}

/** The spec with a key set, or left to its default by "". */
export function withValue(text: string, key: string, value: string): string {
  const { name, values } = parseSpec(text);
  if (value === "") values.delete(key);
  else values.set(key, value);
  return printSpec({ name, values });
}

/** Why a text can be no value of a spec, whatever the parameter; null if it may be one. */
export function misfit(text: string): string | null {
  if (/^[-+]?\d+,\d+$/.test(text)) return `decimals follow a point, as in ${text.replace(",", ".")}`;
  if (text.includes(",")) return "a value has no comma";
  return /[\u0000-\u001f\u007f]/.test(text) ? "a value is one line of text" : null;
}

/** A spec inside a command, in quotes if a shell would change it. */
export function quoted(text: string): string {
  return /^[\w:=.,/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The key whose text is at a position of a spec; null if there is none. */
export function keyAt(text: string, position: number): string | null {
  const start = Math.max(text.lastIndexOf(",", position - 1), text.indexOf(":")) + 1;
  const found = /^([\w-]+)=?/.exec(text.slice(start));
  return position >= 0 && text.includes(":") && position >= start && found ? found[1] : null;
}
