import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Identity, judgeInstallation, type Mark } from './judge-installation.ts';

const anyIdentity = fc.record({
  systemId: fc.constantFrom(null, '7', '8'),
  databaseOid: fc.constantFrom(null, 5, 6),
});
const anyMark = fc.record({
  id: fc.constantFrom('ins_a', 'ins_b'),
  owner: fc.constantFrom('x', 'y'),
  beat: fc.integer({ min: 1, max: 5 }),
});
const anyCase = fc.record({
  row: fc.tuple(anyMark, anyIdentity).map(([mark, identity]) => ({ ...mark, ...identity })),
  identity: anyIdentity,
  mark: fc.option(anyMark),
  seenBeat: fc.integer({ min: 0, max: 5 }),
});
const same = (known: unknown, found: unknown) => known === null || found === null || known === found;
const isSameServer = (row: Identity, found: Identity) =>
  same(row.systemId, found.systemId) && same(row.databaseOid, found.databaseOid);

test('a database may send exactly if server, storage and beats are those of its row', () => {
  fc.assert(
    fc.property(anyCase, ({ row, identity, mark, seenBeat }) => {
      const finding = judgeInstallation(row, { ...identity, mark, seenBeat });
      const ofStorage = mark === null || (mark.id === row.id && isNotAfter(mark, row));
      assert.equal(finding === null, isSameServer(row, identity) && seenBeat <= row.beat && ofStorage);
      if (mark !== null && mark.id !== row.id) assert.equal(finding, 'other_storage');
    }),
  );
});

/** Each beats as a process does; a copy that was found stops. Returns how many still run. */
function beatInTurn(beats: readonly { readonly copy: number; readonly isStored: boolean }[], copies: number): number {
  const start = { id: 'ins_a', owner: 'x', beat: 1, systemId: null, databaseOid: null };
  const rows = Array.from({ length: copies }, () => start);
  const stopped = new Set<number>();
  let mark: Mark | null = null;
  for (const [index, { copy, isStored }] of beats.entries()) {
    const which = copy % copies;
    if (stopped.has(which)) continue;
    const row = { ...rows[which]!, beat: rows[which]!.beat + 1, owner: `o${index}` };
    rows[which] = row;
    if (!isStored) continue;
    const found = { systemId: null, databaseOid: null, seenBeat: row.beat, mark };
    if (judgeInstallation(row, found) !== null) stopped.add(which);
    else mark = { id: row.id, owner: row.owner, beat: row.beat };
  }
  return copies - stopped.size;
}

const anyBeats = fc.array(fc.record({ copy: fc.constantFrom(0, 1), isStored: fc.boolean() }), { maxLength: 20 });
const inTurn = [0, 1, 0, 1].map((copy) => ({ copy, isStored: true }));

test('an installation is never held for beats of its own, also if the storage misses some', () => {
  fc.assert(fc.property(anyBeats, (beats) => assert.equal(beatInTurn([...beats, ...inTurn], 1), 1)));
});

test('of two copies on one storage at most one goes on once both have reached it twice', () => {
  fc.assert(fc.property(anyBeats, (beats) => assert.equal(beatInTurn([...beats, ...inTurn], 2), 1)));
});

function isNotAfter(mark: Mark, row: Mark): boolean {
  return mark.beat < row.beat || (mark.beat === row.beat && mark.owner === row.owner);
}
