// Specs: name:key=value,key=value. A value in brackets may hold commas.

export interface Spec {
  name: string;
  values: Map<string, string>;
}

/** Cuts at commas outside brackets. */
function cut(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const c of text) {
    if (c === "[" || c === "(") depth += 1;
    if (c === "]" || c === ")") depth -= 1;
    if (c === "," && depth <= 0) parts.push("");
    else parts[parts.length - 1] += c;
  }
  return parts;
}

export function parseSpec(text: string): Spec {
  const colon = text.indexOf(":");
  if (colon < 0) return { name: text, values: new Map() };
  const pairs = cut(text.slice(colon + 1)).map((part): [string, string] => {
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
