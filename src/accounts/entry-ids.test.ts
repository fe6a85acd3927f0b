import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createEntryIds } from './entry-ids.ts';

const ids = createEntryIds('a secret');

test('an entry id can be decoded only for the account of the entry', () => {
  fc.assert(
    fc.property(fc.nat(), fc.string(), fc.string(), (number, account, other) => {
      fc.pre(account !== other);
      const id = ids.encode(account, number);
      assert.equal(ids.encode(account, number), id);
      assert.equal(ids.decode(account, id), number);
      assert.equal(ids.decode(other, id), null);
      assert.equal(createEntryIds('another secret').decode(account, id), null);
    }),
    { numRuns: 100 },
  );
});

test('an invalid entry id is not decoded', () => {
  for (const text of ['', '17', 'entry_', `entry_${'0'.repeat(32)}`, `entry_${'g'.repeat(32)}`]) {
    assert.equal(ids.decode('acct_1', text), null, text);
  }
});
