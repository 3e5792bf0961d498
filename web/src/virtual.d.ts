declare module "virtual:core" {
  /** The module in WebAssembly, by gzip and base64. */
  const packed: string;
  export default packed;
}

declare module "virtual:sqlite" {
  /** SQLite in WebAssembly, likewise. */
  const packed: string;
  export default packed;
}
