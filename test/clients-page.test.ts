import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

/** The cells of a line of a table. */
function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The text of the test files that a heading names; a folder stands for all of its tests. */
function testsNamedIn(heading: string): string {
  const paths = [...heading.matchAll(/\(([^)]*)\)/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  );
  assert.ok(paths.length > 0, `${heading} names no file`);
  return paths
    .flatMap((path) =>
      statSync(join(ROOT, path)).isDirectory() ? globSync(`${path}/{*.test.ts,test_*.py}`, { cwd: ROOT }) : [path],
    )
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n');
}

test('each test that the page on clients names is there', () => {
  const lines = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8').split('\n');
  const [head = '', , ...rows] = lines.slice(lines.findIndex((line) => line.startsWith('| |')));
  const columns = cellsOf(head).slice(1).map(testsNamedIn);
  const missing = rows
    .slice(0, rows.indexOf(''))
    .flatMap((row) =>
      cellsOf(row)
        .slice(1)
        .map((title, column) => ({ title, tests: columns[column] ?? '' })),
    )
    .filter(({ title }) => title !== '–')
    .filter(({ title, tests }) => !tests.includes(`test('${title}'`) && !tests.includes(`def ${title}(`));
  assert.deepEqual(
    missing.map(({ title }) => title),
    [],
  );
  assert.ok(columns.length >= 2 && rows.indexOf('') >= 9);
});
