import { writeFile } from 'node:fs/promises';
import { joinShapes, type Shape } from '../src/trial/answer-shape.ts';
import type { RecordedCall } from '../src/trial/recorded-fetch.ts';
import { shapesByMethod, type TrialReport } from '../src/trial/run-trial.ts';
import { runTrials } from './run-trials.ts';
import { openDryBench, openFakeBench, UNKNOWN_TO_FAKES } from './trial-bench.ts';

/**
 * Writes what `darkroom engines try` compares with and shows: the shapes of the answers of all fakes, and a dry run
 * over all engines. `npm run engines:try`
 */

const ROOT = new URL('..', import.meta.url);

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

async function writeDryRun(): Promise<void> {
  await using bench = await openDryBench();
  const report = await runTrials(bench, bench.steps, { dryRun: true });
  await writeFile(new URL('docs/engines-try.md', ROOT), describe(report));
}

function describe({ results, not_tried: left, began_at: at }: TrialReport): string {
  const engines = Map.groupBy(results, ({ engine }) => engine);
  const sections = [...engines].map(([engine, those]) => {
    const rows = those.map(({ model, upstream_model: name, price, request }) => {
      const body = JSON.stringify(request?.body ?? null).replaceAll('|', '\\|');
      return `| \`${model}\` | \`${name}\` | ${price} | \`${request?.method} ${pathOf(request)}\` | \`${body}\` |`;
    });
    const headers = Object.entries(those[0]?.request?.headers ?? {}).map(([name, value]) => `\`${name}: ${value}\``);
    return [
      `## ${engine}`,
      '',
      `${those.length} orders to \`${originOf(those[0]?.request)}\`, with ${headers.join(', ')}.`,
      '',
      '| model | upstream model | USD | request | body |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
  const missing = left.map(({ engine, model, reason }) => `- ${engine}, \`${model}\`: ${reason}`);
  return `# A dry run of all engines

\`darkroom engines try --dry-run\` shows the cheapest order of each live route and makes no call. This page was written by \`npm run engines:try\` on ${at.slice(0, 10)}, over all engines with placeholder keys. Long texts, such as pictures, are shortened.
[engines.md](engines.md#try-the-routes-with-your-own-accounts) says how to place these orders with your own accounts. Engines with a second call, such as an upload to ComfyUI, show the first.

${sections.join('\n\n')}

## Not tried

${missing.join('\n')}
`;
}

function pathOf(request: RecordedCall | null): string {
  const url = URL.parse(request?.url ?? '');
  return url === null ? '' : `${url.pathname}${url.search}`;
}

function originOf(request: RecordedCall | null | undefined): string {
  return URL.parse(request?.url ?? '')?.origin ?? '';
}

await writeShapes();
await writeDryRun();
