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

/** Where a client has no such call. */
const EMPTY = ['list, AI SDK', 'lost answer to a deletion, AI SDK'];

test('each cell of the page on clients names a test that is there, unless the client has no such call', () => {
  const lines = readFileSync(join(ROOT, 'test/clients/README.md'), 'utf8').split('\n');
  const [head = '', , ...rest] = lines.slice(lines.findIndex((line) => line.startsWith('| |')));
  const clients = cellsOf(head).slice(1);
  const tests = clients.map(testsNamedIn);
  const cells = rest.slice(0, rest.indexOf('')).flatMap((row) => {
    const [scenario, ...titles] = cellsOf(row);
    return clients.map((client, column) => {
      const name = `${scenario}, ${client.replace(/ \(.*/, '')}`;
      return { name, title: titles[column] ?? '', tests: tests[column] ?? '' };
    });
  });
  const isThere = ({ title, tests }: (typeof cells)[number]) =>
    tests.includes(`test('${title}'`) || tests.includes(`def ${title}(`);
  assert.deepEqual(
    cells.filter((cell) => !isThere(cell)).map(({ name }) => name),
    EMPTY,
  );
  assert.ok(cells.length >= 5 * 14);
});
