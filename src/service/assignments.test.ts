import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { ADDITIONS } from '../additions/list.ts';
import type { Addition } from './addition.ts';
import { assignBits, readAssignments } from './assignments.ts';

/** The bits of this program's followers as orders of earlier versions have stored them. */
const KNOWN = { webhooks: 1, delivery: 2, origins: 4, chains: 8, batches: 16 };

const install = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    parts: fc.constantFrom('follower', 'gate', 'both'),
  }),
  { maxLength: 6, selector: ({ name }) => name },
);

function additionOf({ name, parts }: { readonly name: string; readonly parts: string }): Addition {
  const follower = { name, follows: () => true };
  const gate = { closes: () => true };
  return { name, ...(parts === 'gate' ? {} : { follower }), ...(parts === 'follower' ? {} : { gate }) };
}

forEachDatabase((kind, open) => {
  test('whichever additions come and go, and however many processes start at once, an assigned bit never changes, and no two have the same', async (t) => {
    const { database: here, openAnother } = await open(t);
    const there = kind === 'sqlite' ? here : await openAnother();
    const known = new Map(Object.entries(KNOWN).map(([name, bit]) => [`follower ${name}`, bit]));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(install, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
        async (starts) => {
          for (const processes of starts) {
            const assigned = await Promise.all(
              processes.map((added, at) =>
                assignBits(at % 2 === 0 ? here : there, [...ADDITIONS, ...added.map(additionOf)]),
              ),
            );
            for (const [at, { followers, gates }] of assigned.entries()) {
              const added = processes[at]?.map(additionOf) ?? [];
              const names = [...ADDITIONS, ...added].flatMap(({ name, follower }) => (follower ? name : []));
              assert.equal(followers.length, names.length);
              for (const [index, { bit }] of followers.entries()) assertKept(known, `follower ${names[index]}`, bit);
              for (const { addition, bit } of gates) assertKept(known, `gate ${addition}`, bit);
            }
            for (const kinds of ['follower', 'gate']) {
              const bits = [...known].flatMap(([name, bit]) => (name.startsWith(kinds) ? bit : []));
              assert.equal(new Set(bits).size, bits.length);
            }
          }
        },
      ),
      { numRuns: kind === 'sqlite' ? 60 : 15 },
    );
    const rows = await readAssignments(here.read);
    assert.deepEqual(new Map(rows.map((row) => [`${row.kind} ${row.addition}`, 2 ** row.number])), known);
  });

  test('a follower or gate for which no bit is left, or whose bit another addition has, stops the start by name', async (t) => {
    const { database } = await open(t);
    const many = Array.from({ length: 16 }, (_, at) => additionOf({ name: `own-${at}`, parts: 'follower' }));
    await assignBits(database, many.slice(0, 15));
    await assert.rejects(assignBits(database, many), /'own-15' needs a follower, but all are assigned: 'own-0', /);
    const old: Addition = { name: 'old', follower: { name: 'old', bit: 2 ** 16, follows: () => true } };
    await assert.rejects(assignBits(database, [old]), /'old' declares the bit 65536, which belongs to 'own-0'/);
    const moved: Addition = { name: 'own-0', follower: { name: 'own-0', bit: 2 ** 17, follows: () => true } };
    await assert.rejects(assignBits(database, [moved]), /declares the bit 131072, but orders have stored 65536/);
  });
});

/** Asserts that a bit is an own one, and the same as ever. */
function assertKept(known: Map<string, number>, name: string, bit: number): void {
  assert.ok(Number.isInteger(Math.log2(bit)), `${name}: ${bit}`);
  assert.equal(known.get(name) ?? bit, bit, name);
  known.set(name, bit);
}
