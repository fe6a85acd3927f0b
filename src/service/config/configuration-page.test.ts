import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ADDITIONS } from '../../additions/list.ts';
import { VARIABLES, variablesOf, wordingOf } from './config-variables.ts';

/** What the descriptions of an engine's regular variables say: key, URL, concurrency, timeout. */
const ENGINE_CELLS = [
  /^The API key of the engine `(?<engine>[a-z-]+)`/,
  /^The upstream URL of the engine `(?<engine>[a-z-]+)`\. Unset: (?<cell>.+)\.$/,
  /^How many orders the engine `(?<engine>[a-z-]+)` runs at once, .* Unset: (?<cell>.+)\.$/,
  /^The timeout of one upstream call of the engine `(?<engine>[a-z-]+)`, in seconds\. Unset: (?<cell>.+)\.$/,
];

test('docs/configuration.md lists every variable with its default and meaning', async () => {
  const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'configuration.md'), 'utf8');
  const all = Object.entries(variablesOf(ADDITIONS));
  const wordings = all.map(([name, schema]) => ({ name, ...wordingOf(schema) }));
  // In this order, but the sections of the page may be in another one.
  for (const group of [VARIABLES, ...ADDITIONS.map(({ settings }) => settings?.variables ?? {})]) {
    const rows = page.split('\n').filter((line) => (/^\| `([A-Z_]+)` \|/.exec(line)?.[1] ?? '') in group);
    const expected = wordings
      .filter(({ name, description }) => name in group && !ENGINE_CELLS.some((pattern) => pattern.test(description)))
      .map(({ name, default: usual, expected, description }) => {
        const fallback = usual === undefined || usual === '' ? '' : `\`${usual}\``;
        // The page leaves out what its reader knows from the name and the bounds.
        const shown = expected.replace(/^(?:a (?:whole )?number from|one of) /, '').replaceAll('|', '\\|');
        return `| \`${name}\` | ${fallback} | ${shown} | ${description} |`;
      });
    assert.deepEqual(rows, expected);
  }

  // One row for each engine: its key, URL, concurrency and timeout have regular names and meanings.
  const engines = new Map<string, string[]>();
  for (const { name, description, expected } of wordings)
    for (const [column, pattern] of ENGINE_CELLS.entries()) {
      const { engine = '', cell = '' } = pattern.exec(description)?.groups ?? {};
      if (engine === '') continue;
      const cells = engines.get(engine) ?? ['', '', '', '', ''];
      if (column === 0) cells.splice(0, 2, `\`${name}\``, expected);
      else cells[column + 1] = cell;
      engines.set(engine, cells);
    }
  const engineRows = page.split('\n').filter((line) => engines.has(/^\| `([a-z-]+)` \|/.exec(line)?.[1] ?? ''));
  assert.deepEqual(
    engineRows,
    [...engines].map(([engine, cells]) => `| \`${engine}\` | ${cells.join(' | ')} |`),
  );
});
