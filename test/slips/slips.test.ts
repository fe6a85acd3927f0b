import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applySlip } from './slip.ts';
import { SLIPS } from './slips.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('every slip fits the code as it is now, and has tests that are there', () => {
  assert.equal(new Set(SLIPS.map(({ id }) => id)).size, SLIPS.length);
  for (const slip of SLIPS) {
    applySlip(slip, readFileSync(join(ROOT, slip.file), 'utf8'));
    for (const { file, only } of slip.tests) {
      assert.ok(existsSync(join(ROOT, file)), `slip ${slip.id}: there is no ${file}`);
      if (only !== undefined)
        assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(only), `slip ${slip.id}: ${only}`);
    }
  }
});
