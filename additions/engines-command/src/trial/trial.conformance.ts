import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runTrials } from '../../test/run-trials.ts';
import { openDryBench, openFakeBench, UNKNOWN_TO_FAKES } from '../../test/trial-bench.ts';
import type { KnownShapes } from './answer-shape.ts';

const SHAPES = new URL('../../../../catalog/answers/shapes.json', import.meta.url);

test('the fake of each upstream makes the cheapest order of each live route, and answers in the shipped shapes', async () => {
  await using bench = await openFakeBench();
  const known = JSON.parse(await readFile(SHAPES, 'utf8')) as KnownShapes;
  const steps = bench.steps.filter(({ upstreamModel }) => !UNKNOWN_TO_FAKES.includes(upstreamModel));
  const { results } = await runTrials(bench, steps, { dryRun: false, known });
  assert.ok(results.length > 150, `${results.length} routes`);
  for (const { model, engine, outcome, accepted, reason, bytes, differences } of results) {
    const where = `${engine} ${model}: ${reason}`;
    assert.deepEqual(
      { outcome, accepted, differences },
      { outcome: 'succeeded', accepted: true, differences: [] },
      where,
    );
    assert.ok((bytes ?? 0) > 0, where);
  }
});

test('a dry run shows the request of each route without a call and without a key', async () => {
  await using bench = await openDryBench();
  const report = await runTrials(bench, bench.steps, { dryRun: true });
  for (const { model, engine, request, reason } of report.results)
    assert.ok(request !== null, `${engine} ${model}: ${reason}`);
  assert.ok(report.results.length >= 170, `${report.results.length} routes`);
  assert.doesNotMatch(JSON.stringify(report), /WRONG-KEY/);
});
