import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALERT_KINDS } from '../src/alert-words.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');

test('the runbook has an entry for each kind of alert, with its cause, what to do and what not', () => {
  const entries = new Map(
    PAGE.split('\n## ')
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
  );
  assert.deepEqual([...entries.keys()], [...ALERT_KINDS, 'Rules of Prometheus']);
  for (const kind of ALERT_KINDS) {
    const entry = entries.get(kind) ?? '';
    for (const part of ['**Cause:**', '**Do:**', '**Do not**'])
      assert.equal(entry.replaceAll(/\s+/g, ' ').split(part).length, 2, `${kind}: ${part}`);
  }
});
