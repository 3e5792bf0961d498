// The golden cells, computed by the module: the same in Node and in a page.

/** Cells whose hash is another, or unknown: "name: hash". `grids` are those of tests/golden/check.py. */
export function checkGolden(farsight, grids, hashes) {
  const faults = [];
  let cells = 0;
  for (const [envs, agents, steps, runs] of grids)
    for (const env of envs) {
      const model = farsight.model(env);
      for (const agent of agents) {
        const batch = model.batch([agent], { steps, runs, seed: 42, points: 0 });
        while (!batch.work(0.001)); // small slices: blocks of one run, and of several
        const [cell] = batch.results().cells;
        const name = `${model.description.spec} ${cell.agent}`;
        if (hashes[name] !== cell.hash) faults.push(`${name}: ${cell.hash}`);
        cells += 1;
        batch.free();
      }
      model.free();
    }
  return { cells, faults };
}
