import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareIds, mergeWalks, timeOf, type Walk } from './walk-orders.ts';

/** An order, its place in time, and whether a search finds it. */
interface Order {
  readonly id: string;
  readonly fits: boolean;
}

const orders = fc.array(fc.record({ isImage: fc.boolean(), fits: fc.boolean() }), { maxLength: 60 }).map((drawn) =>
  drawn.map(({ isImage, fits }, at): Order => {
    return { id: `${isImage ? 'img' : 'vid'}_${String(at).padStart(3, '0')}`, fits };
  }),
);

/** What an index answers: at most `lookedAt` of the newest orders of one type after a place. */
function walkOf(all: readonly Order[], prefix: string, after: string | null, limit: number, lookedAt: number): Walk {
  const older = all
    .filter(({ id }) => id.startsWith(prefix) && (after === null || timeOf(id) < timeOf(after)))
    .sort((a, b) => compareIds(b.id, a.id));
  const looked = older.slice(0, lookedAt);
  const ids = looked.flatMap(({ id, fits }) => (fits ? [id] : [])).slice(0, limit + 1);
  const last = looked.length < lookedAt ? undefined : looked.at(-1);
  return { ids, end: ids.length > limit || last === undefined ? null : { id: last.id, createdAt: 0 } };
}

test('pages of a search that looks at few orders at a time find each order once, newest first', () => {
  fc.assert(
    fc.property(orders, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 9 }), (all, limit, lookedAt) => {
      const found: string[] = [];
      let after: string | null = null;
      let pages = 0;
      do {
        const walks = ['img', 'vid'].map((prefix) => walkOf(all, prefix, after, limit, lookedAt));
        const page = mergeWalks(walks, limit);
        assert.ok(page.ids.length <= limit);
        found.push(...page.ids);
        after = page.nextAfter;
        pages += 1;
        assert.ok(pages <= all.length + 1, 'every page goes on');
      } while (after !== null);
      const expected = all.flatMap(({ id, fits }) => (fits ? [id] : [])).reverse();
      assert.deepEqual(found, expected);
    }),
  );
});
