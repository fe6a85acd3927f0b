import { writeFile } from 'node:fs/promises';
import { joinShapes, type Shape } from '../src/trial/answer-shape.ts';
import type { RecordedCall } from '../src/trial/recorded-fetch.ts';
import { shapesByMethod } from '../src/trial/run-trial.ts';
import { runTrials } from './run-trials.ts';
import { openFakeBench, UNKNOWN_TO_FAKES } from './trial-bench.ts';

/** Writes what `darkroom engines try` compares with: the shapes of the answers of all fakes. `npm run engines:try` */

const ROOT = new URL('../../..', import.meta.url);

async function writeShapes(): Promise<void> {
  await using bench = await openFakeBench();
  const { recorder } = bench;
  const shapes: Record<string, Record<string, Shape>> = {};
  const keep = (engine: string, calls: readonly RecordedCall[]) => {
    for (const [method, shape] of Object.entries(shapesByMethod(calls))) {
      shapes[engine] ??= {};
      shapes[engine][method] = joinShapes(shapes[engine][method] ?? {}, shape);
    }
  };
  for (const step of bench.steps.filter(({ upstreamModel }) => !UNKNOWN_TO_FAKES.includes(upstreamModel))) {
    const calls: RecordedCall[] = [];
    const take = () => {
      const taken = recorder.take();
      calls.push(...taken);
      return taken;
    };
    const report = await runTrials({ ...bench, recorder: { ...recorder, take } }, [step], { dryRun: false });
    for (const { outcome, reason } of report.results)
      if (outcome !== 'succeeded') throw new Error(`${step.engine} ${step.model}: ${outcome}, ${reason}`);
    keep(step.engine, calls);
  }
  const text = JSON.stringify(shapes, null, 2).replaceAll(/\[[^[\]]*?\]/gs, (list) => JSON.stringify(JSON.parse(list)));
  await writeFile(new URL('catalog/answers/shapes.json', ROOT), `${text.replaceAll('","', '", "')}\n`);
}

await writeShapes();
