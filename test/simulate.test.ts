import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { simulate } from '../bench/simulate/simulate.ts';
import { type Figures, findWorse } from '../bench/simulate/tally.ts';
import { SMALL } from '../bench/simulate/world.ts';

const SEED = 1;

test('a simulated fleet waits, asks its upstreams and treats its keys as well as when its figures were kept', async () => {
  const path = join(import.meta.dirname, '..', 'bench', 'simulate', 'kept.json');
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Figures;
  assert.deepEqual(
    findWorse(await simulate(SMALL, SEED), kept),
    [],
    'If it is worth it: node bench/simulate/run.ts --keep',
  );
});
