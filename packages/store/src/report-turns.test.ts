import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createReportTurns } from './report-turns.ts';
import type { ReportTurn } from './store.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Reports that run until each is ended, and the names of those that run, by place. */
function openTurns(options: Parameters<typeof createReportTurns>[0]) {
  const turns = createReportTurns(options);
  const running = new Map<string, { readonly turn: ReportTurn; readonly place: number; readonly end: () => void }>();
  const begun: string[] = [];
  return {
    places: turns.places,
    running,
    begun,
    async ask(name: string, owner: string | null, isLong = false) {
      const turn = { owner, isLong };
      void turns.run(turn, async (place) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        running.set(name, { turn, place, end: resolve });
        begun.push(name);
        await promise;
        running.delete(name);
      });
      await settled();
    },
    async end(name: string) {
      running.get(name)?.end();
      await settled();
    },
  };
}

test('a short report of another key begins beside a long one, and the next long one waits', async () => {
  const turns = openTurns({ short: 2, spreadAfterMs: 0 });
  await turns.ask('year', 'key_1', true);
  await turns.ask('another year', 'key_1', true);
  await turns.ask('year of another', 'key_2', true);
  await turns.ask('tags', 'key_3');
  assert.deepEqual(turns.begun, ['year', 'tags']);
  await turns.end('year');
  assert.deepEqual(turns.begun.slice(2), ['year of another'], 'keys alternate');
});

test('a key that asks for many short reports holds up none but itself, and the operator comes first', async () => {
  const turns = openTurns({ short: 2, spreadAfterMs: 0 });
  for (const name of ['a1', 'a2', 'a3']) await turns.ask(name, 'key_a');
  await turns.ask('b1', 'key_b');
  assert.deepEqual(turns.begun, ['a1', 'b1']);
  await turns.ask('b2', 'key_b');
  await turns.ask('palette', null);
  await turns.end('a1');
  assert.equal(turns.begun.at(-1), 'palette');
  await turns.end('palette');
  await turns.end('b1');
  assert.deepEqual(turns.begun.slice(3), ['a2', 'b2']);
});

test('a second place is taken only when the report in the first one is not short', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const turns = openTurns({ short: 2, spreadAfterMs: 50 });
  await turns.ask('tags', 'key_1');
  await turns.ask('search', 'key_2');
  assert.deepEqual(turns.begun, ['tags']);
  now += 51;
  t.mock.timers.tick(51);
  await settled();
  assert.deepEqual(turns.begun, ['tags', 'search']);
  assert.deepEqual(
    [...turns.running.values()].map(({ place }) => place),
    [0, 1],
  );
});

test('every report runs once, in a place of its own, whatever is asked in whichever order', async () => {
  const report = fc.record({ owner: fc.constantFrom(null, 'a', 'b', 'c'), isLong: fc.boolean() });
  const act = fc.oneof(report, fc.nat({ max: 3 }));
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
      const turns = openTurns({ short: 2, spreadAfterMs: 0 });
      let asked = 0;
      const endOne = async (index: number) => turns.end([...turns.running.keys()][index % turns.running.size] ?? '');
      for (const each of acts) {
        if (typeof each === 'number') await endOne(each);
        else await turns.ask(`${asked++}`, each.owner, each.isLong);
        const now = [...turns.running.values()];
        assert.equal(new Set(now.map(({ place }) => place)).size, now.length);
        assert.ok(now.every(({ place }) => place < turns.places));
        assert.ok(now.filter(({ turn }) => turn.isLong).length <= 1);
        const owners = now.filter(({ turn }) => !turn.isLong && turn.owner !== null).map(({ turn }) => turn.owner);
        assert.equal(new Set(owners).size, owners.length);
      }
      while (turns.running.size > 0) await endOne(0);
      assert.equal(new Set(turns.begun).size, asked);
    }),
  );
});
