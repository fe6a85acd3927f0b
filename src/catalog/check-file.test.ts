import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonValue } from '@darkroom-service/contract';
import { CatalogFileSchema } from '@darkroom-service/contract/catalog';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { isCatalogFile, listShapeFaults } from './check-file.ts';

/** Parsed JSON, which may be changed. */
type Tree = Record<string, JsonValue> | JsonValue[];

const CATALOG = join(import.meta.dirname, '..', '..', 'catalog');
const files = globSync('*.json', { cwd: CATALOG, exclude: ['watch-decisions.json'] }).map(
  (name) =>
    JSON.parse(readFileSync(join(CATALOG, name), 'utf8')) as { vendor: string; models: Record<string, JsonValue>[] },
);
const entries = files.flatMap(({ models }) => models);

test('every damage to an entry of the shipped catalog is refused or accepted as by Ajv, and each refusal has a reason', async () => {
  const validate = new Ajv({ allErrors: true, strict: false }).compile(CatalogFileSchema);
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(damagedEntry(), async (entry) => {
      const content = { vendor: 'Vendor', models: [entry] };
      const isAccepted = isCatalogFile(content);
      assert.equal(isAccepted, validate(content));
      if (isAccepted) return;
      refusals += 1;
      for (const { message } of await listShapeFaults('a.json', content)) assert.match(message, /^\/.* must /s);
    }),
    { numRuns: 500 },
  );
  assert.ok(refusals > 100, `${refusals}`);
});

/** An entry of the shipped catalog with one value at any depth removed, replaced, or given a field too many. */
function damagedEntry(): fc.Arbitrary<JsonValue> {
  const value = fc.oneof(
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue> },
    fc.constantFrom<JsonValue>('', '0', '0.1', '1x1', -1, 0, 1, 1.5, 1e21, true, null, [], {}, ['', ''], [1, 1]),
  );
  const change = fc.record({ steps: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), value });
  return fc
    .record({ entry: fc.constantFrom(...entries), change, kind: fc.constantFrom('remove', 'replace', 'add') })
    .map(({ entry, change, kind }) => {
      const copy = structuredClone(entry);
      damage(copy, change.steps, kind, change.value);
      return copy;
    });
}

function damage(within: Tree, [step = 0, ...steps]: number[], kind: string, value: JsonValue): void {
  const keys = Object.keys(within);
  const key = keys[step % Math.max(1, keys.length)] ?? 'extra';
  const target = within as Record<string, JsonValue>;
  const inner = target[key];
  if (steps.length > 0 && typeof inner === 'object' && inner !== null) damage(inner as Tree, steps, kind, value);
  else if (kind === 'replace') target[key] = value;
  else if (kind === 'add') target[Array.isArray(within) ? within.length : 'extra'] = value;
  else if (Array.isArray(within)) within.splice(Number(key), 1);
  else delete target[key];
}
