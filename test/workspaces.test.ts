import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Addition } from '../src/kernel.ts';
import { readSources } from './structure/sources.ts';

const ROOT = join(import.meta.dirname, '..');
const SHARED = 'common';
/** Tests of several additions together: they leave with any of these. */
const TOGETHER = ['bench/simulate/', 'test/interleaving/'];

/** Returns what a line of a page lists, such as `- Tables: …`. */
function listed(page: string, title: string): string[] {
  const item = new RegExp(`^- ${title}: ([^]*?)(?=\\n- |\\n*$(?![^]))`, 'm').exec(page)?.[1] ?? '';
  return [...item.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).sort();
}

for (const folder of globSync('additions/*', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))) {
  const name = folder.split('/')[1] ?? '';
  test(`the page of ${folder} names its settings and its tables, and no others`, async () => {
    const page = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
    const { exports } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    if (name === SHARED) return assert.deepEqual(listed(page, 'Tables'), []);
    const exported: Record<string, unknown> = await import(join(ROOT, folder, exports['.']));
    const isAddition = (one: unknown): one is Addition => (one as Addition | undefined)?.name === name;
    const addition = Object.values(exported).find(isAddition);
    assert.ok(addition !== undefined, `${folder} exports no addition of this name`);
    const { settings, tables = '' } = addition;
    assert.deepEqual(listed(page, 'Settings'), Object.keys(settings?.variables ?? {}).sort());
    assert.deepEqual(
      listed(page, 'Tables'),
      [...tables.matchAll(/create table (\w+)/g)].map(([, table]) => table).sort(),
    );
  });
}

test('no file outside of a workspace imports it, so that it leaves with its tests', () => {
  const { texts, importsOf } = readSources(ROOT);
  const workspaceOf = (path: string) => /^additions\/([^/]+)\//.exec(path)?.[1] ?? null;
  const foreign = [...texts.keys()]
    .filter((path) => workspaceOf(path) === null && !TOGETHER.some((folder) => path.startsWith(folder)))
    .flatMap((path) => importsOf(path))
    .filter(({ from, to }) => from !== 'src/additions/list.ts' && ![null, SHARED].includes(workspaceOf(to)));
  assert.deepEqual(
    foreign.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});
