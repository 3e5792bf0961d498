declare module "virtual:core" {
  /** The module in WebAssembly, by gzip and base64. */
  const packed: string;
  export default packed;
}
