import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAllowed, ROLES } from '@darkroom-service/contract';
import { readDeclaredRoles } from '../../../test/helpers/declared-roles.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** What names operations and calls none. */
const NAMES_ONLY = ['api/types.ts', 'api/deeds.ts', 'api/operations.ts', 'api/may.ts', 'api/operation-roles.ts'];

/** The operations that the console calls: `onTask` also those on videos. What asks for a right calls nothing. */
function calledByConsole(): ReadonlySet<string> {
  const sources = globSync('**/*.{ts,tsx}', { cwd: join(ROOT, 'console/src') }).filter(
    (path) => !NAMES_ONLY.includes(path),
  );
  const text = sources.map((path) => readFileSync(join(ROOT, 'console/src', path), 'utf8')).join('\n');
  const named = [...text.matchAll(/(?<!\bmay\(|\bneeds: |\bor: )'((?:GET|POST|PUT|PATCH|DELETE) \/[^' ]+)'/g)];
  const onTasks = [...text.matchAll(/\bonTask\('([^']+)'/g)];
  const ofVideos = onTasks.map(([, operation = '']) => operation.replace('/images/', '/videos/'));
  return new Set([...named.map(([, operation = '']) => operation), ...ofVideos]);
}

test('what a role may call has a place in the console, or docs/roles.md says why it has none', async (t) => {
  const called = calledByConsole();
  const page = readFileSync(join(ROOT, 'docs/roles.md'), 'utf8');
  const [, rows = ''] = /\| by API only \|.*\n\|[-|]+\|\n((?:\|.*\n)*)/.exec(page) ?? [];
  const listed = rows
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [, operations = '', reason = ''] = row.split('|').map((cell) => cell.trim());
      assert.ok(reason.length > 10, `a reason for ${operations}`);
      return [...operations.matchAll(/`([^`]+)`/g)].map(([, operation = '']) => operation);
    });
  const ofPeople = [...(await readDeclaredRoles(t))].filter(([, roles]) =>
    ROLES.some((role) => isAllowed(role, roles)),
  );
  const withoutPlace = ofPeople.map(([operation]) => operation).filter((operation) => !called.has(operation));
  assert.deepEqual(listed.toSorted(), withoutPlace.toSorted());
});
