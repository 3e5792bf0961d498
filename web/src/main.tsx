import { render } from "preact";
import { begin, notice, start } from "./state";
import "./style.css";
import { App } from "./ui/App";

render(<App />, document.getElementById("page")!);
begin();
start().catch((error: Error) => notice(`The page cannot start: ${error.message}`));
