import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** Numbers of pages that no table is made of, each beside the constant that it comes from. */

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const KILOBYTE = 1_024;
const MEGABYTE = KILOBYTE * KILOBYTE;

const bodies = (name: string) => constant('src/http/bodies/read-body.ts', `\\b${name}`, ': ');
const many = (name: string) => constant('src/http/bodies/read-body.ts', `MANY_ORDERS: .*${name}`, ': ');
const batch = (name: string) => constant('src/additions/batches/read-batch.ts', name);
const contract = (name: string) => constant('packages/contract/src/parts.ts', `\\b${name}`, ': ');
const postgres = (name: string) => constant('packages/store/src/postgres-database.ts', name);
const restarts = (name: string) => constant('src/additions/local/servers/restarts.ts', name);

const FACTS: Readonly<Record<string, readonly string[]>> = {
  'docs/api.md': [
    `of which ${bodies('bytesOutsideData') / KILOBYTE} KB outside \`data:\` strings`,
    `| body of a batch; one order in it | ${batch('MOST_BYTES') / MEGABYTE} MB; ${bodies('bytesOutsideData') / KILOBYTE} KB |`,
    `| orders of a batch | ${shown(constant('src/additions/batches/read-entry.ts', 'MOST_ORDERS'))} |`,
    `| batches of a key in progress | ${constant('src/additions/batches/place-batch.ts', 'MOST_OPEN_BATCHES')} |`,
    `| message to \`/mcp\`; bodies to compare | ${constant('src/additions/mcp/endpoint/mcp-routes.ts', 'MOST_BODY_BYTES') / MEGABYTE} MB`,
    `of each ${many('bytesOutsideData') / MEGABYTE} MB outside \`data:\` strings, and ${shown(many('values'))} values`,
    `| any other JSON body | ${constant('src/http/bodies/check-shape.ts', 'SHAPED_BODY_BYTES') / KILOBYTE} KB |`,
    `(objects, arrays, strings, numbers, …) | ${shown(bodies('values'))} |`,
    `| names in one object; nesting of objects and arrays | ${bodies('names')}; ${bodies('depth')} levels |`,
    `| URL of a request | ${shown(constant('src/http/client-errors.ts', 'MAX_URL_LENGTH'))} characters |`,
    `where it is read | ${shown(contract('header'))} characters |`,
    `A task has at most ${constant('src/additions/tags/tag-wire.ts', 'MOST_TAGS')} tags`,
  ],
  'docs/mcp.md': [
    `to \`/mcp\` has at most ${constant('src/additions/mcp/endpoint/mcp-routes.ts', 'MOST_BODY_BYTES') / MEGABYTE} MB`,
    `(at most and by default ${constant('packages/contract/src/words.ts', 'LONGEST_WAIT_SECONDS')})`,
  ],
  'docs/local.md': [`After ${restarts('LOAD_FAILURES')} failed loads or ${restarts('CRASHES')} crashes in a row`],
  'docs/privacy.md': [
    `can be downloaded for ${constant('src/additions/privacy/data-requests.ts', 'EXPORT_DAYS')} days`,
    `names ${constant('src/additions/privacy/data-requests.ts', 'MOST_SHOWN')} (\`undecided_uploads\`)`,
  ],
  'docs/operating.md': [
    `${postgres('READERS')} to read, ${postgres('SHORT_REPORTS') + 1} for reports, 2 for searches, 2 to write, 1 to listen, 1 for`,
  ],
  'CONTRIBUTING.md': [
    `at most ${constant('test/architecture.test.ts', 'MAX_LINES')} lines (tests: ${constant('test/architecture.test.ts', 'MAX_TEST_LINES')})`,
  ],
};

for (const [page, facts] of Object.entries(FACTS))
  test(`the limits of ${page} are those of the program`, () => {
    const text = read(page);
    assert.deepEqual(
      facts.filter((fact) => !text.includes(fact)),
      [],
    );
  });

/** Reads a whole number that a source names, or the product of several. */
function constant(path: string, name: string, sign = ' = '): number {
  const [, product] = new RegExp(`${name}${sign}([\\d_ *]+)[;,} ]`).exec(read(path)) ?? [];
  assert.ok(product !== undefined, `${path} has ${name}`);
  return product
    .split('*')
    .map((factor) => Number(factor.replaceAll('_', '').trim()))
    .reduce((all, factor) => all * factor, 1);
}

function shown(number: number): string {
  return number.toLocaleString('en-US');
}
