import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { PERMISSIONS, ROLES } from '@darkroom-service/contract';

const ORDER = ['viewer', 'finance', 'creator', 'manager', 'operator', 'owner'] as const;

test('docs/roles.md says what each role may do, as the permission table does', async () => {
  assert.deepEqual([...ORDER].sort(), [...ROLES].sort());
  const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'roles.md'), 'utf8');
  const [, rows = ''] = /\| may \|.*\n\|[-|]+\|\n((?:\|.*\n)*)/.exec(page) ?? [];
  const expected = Object.values(PERMISSIONS).map(({ action, roles }) => {
    const cells = ORDER.map((role) => (roles.some((one) => one === role) ? 'yes' : ''));
    return `| ${[action, ...cells].join(' | ')} |\n`;
  });
  assert.equal(rows, expected.join(''));
});
