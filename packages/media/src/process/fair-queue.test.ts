import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue } from './fair-queue.ts';

interface Step {
  readonly owner: string;
  readonly act: 'add' | 'take' | 'remove';
}

const steps = fc.array(
  fc.record<Step>({ owner: fc.constantFrom('a', 'b', 'c'), act: fc.constantFrom('add', 'add', 'take', 'remove') }),
  { maxLength: 60 },
);

test('nothing is lost or given twice, and each owner is served in the order of arrival', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const queue = new FairQueue<string>();
      const model = new Map<string, string[]>([...'abc'].map((owner) => [owner, []]));
      for (const [at, { owner, act }] of all.entries()) {
        const line = model.get(owner)!;
        if (act === 'add') {
          line.push(`${owner}${at}`);
          queue.add(owner, `${owner}${at}`);
        } else if (act === 'remove') {
          const item = line.at(-1);
          assert.equal(queue.remove(owner, item ?? 'none'), item !== undefined);
          line.pop();
        } else {
          const item = queue.take(() => true);
          if (item === undefined) assert.ok([...model.values()].every(({ length }) => length === 0));
          else assert.equal(model.get(item[0]!)!.shift(), item);
        }
      }
      assert.deepEqual(queue.takeAll().sort(), [...model.values()].flat().sort());
    }),
  );
});

test('a waiting owner is served after at most one item of every other owner', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 20 }),
      (counts, before) => {
        const queue = new FairQueue<number>();
        for (const [owner, count] of counts.entries())
          for (let item = 0; item < count; item++) queue.add(`${owner}`, owner);
        for (let taken = 0; taken < before; taken++) queue.take(() => true);
        queue.add('late', -1);
        const served: number[] = [];
        for (let item = queue.take(() => true); item !== -1; item = queue.take(() => true)) served.push(item!);
        assert.equal(new Set(served).size, served.length);
      },
    ),
  );
});

test('an owner at the limit is skipped and keeps the turn', () => {
  const queue = new FairQueue<string>();
  queue.add('a', 'a1');
  queue.add('b', 'b1');
  assert.equal(
    queue.take((owner) => owner !== 'a'),
    'b1',
  );
  assert.equal(
    queue.take((owner) => owner !== 'a'),
    undefined,
  );
  queue.add('b', 'b2');
  assert.equal(
    queue.take(() => true),
    'a1',
  );
});
