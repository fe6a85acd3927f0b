import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applySlip, type Slip } from './slip.ts';
import { SLIPS } from './slips.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('every slip fits the code as it is now, and has tests that are there', () => {
  assert.equal(new Set(SLIPS.map(({ id }) => id)).size, SLIPS.length);
  assert.deepEqual(SLIPS.flatMap(faultsOf), []);
});

function faultsOf(slip: Slip): string[] {
  const faults: string[] = [];
  try {
    applySlip(slip, readFileSync(join(ROOT, slip.file), 'utf8'));
  } catch (fault) {
    faults.push((fault as Error).message);
  }
  for (const { file, only } of slip.tests) {
    if (!existsSync(join(ROOT, file))) faults.push(`slip ${slip.id}: there is no ${file}`);
    else if (only !== undefined && !readFileSync(join(ROOT, file), 'utf8').includes(only))
      faults.push(`slip ${slip.id}: ${file} has no test ${only}`);
  }
  return faults;
}
