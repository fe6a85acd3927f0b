import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { type Cut, openCutConnection } from '../../test/helpers/cut-connection.ts';
import { openPostgres } from '../../test/helpers/open-postgres.ts';
import { createPostgresDatabase } from '../../test/helpers/postgres-server.ts';
import type { Transaction } from './database.ts';
import { prepare } from './prepared.ts';

interface Row {
  name: string;
  value: string;
}

const insert = prepare<Row, unknown>('lost_insert', (builder, argument) =>
  builder.insertInto('secrets').values({ name: argument('name'), value: argument('value') }),
);
const change = prepare<Row, unknown>('lost_change', (builder, argument) =>
  builder
    .updateTable('secrets')
    .set({ value: argument('value') })
    .where('name', '=', argument('name')),
);
const find = prepare<{ name: string }, Row>('lost_find', (builder, argument) =>
  builder.selectFrom('secrets').selectAll().where('name', '=', argument('name')),
);
const findRun = prepare<{ from: string; to: string }, Row>('lost_find_run', (builder, argument) =>
  builder
    .selectFrom('secrets')
    .selectAll()
    .where('name', '>=', argument('from'))
    .where('name', '<', argument('to'))
    .orderBy('name'),
);

/** The ways in which a unit reads and writes. Each way of writing makes one row whose value is the unit's attempt. */
const ACTS = ['reads', 'runs', 'sends', 'sends a change', 'writes before the commit'] as const;
type Act = (typeof ACTS)[number];
interface WritingUnit {
  readonly acts: readonly Act[];
  /** Whether the last thing that it sends breaks a rule of the database. */
  readonly breaksRule: boolean;
  readonly together: boolean;
}

const aUnit: fc.Arbitrary<WritingUnit> = fc.record({
  acts: fc.array(fc.constantFrom(...ACTS), { minLength: 1, maxLength: 4 }),
  breaksRule: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  together: fc.boolean(),
});
const aCut: fc.Arbitrary<Cut> = fc.record({
  side: fc.constantFrom('requests' as const, 'answers' as const),
  after: fc.nat({ max: 50 }),
});

/** The driver refuses another text under the name of a statement that it has sent. */
const refusedByDriver = prepare<Row, unknown>('lost_insert', (builder, argument) =>
  builder
    .updateTable('secrets')
    .set({ value: argument('value') })
    .where('name', '=', argument('name')),
);

const TAKEN = 'taken';

async function perform(trx: Transaction, { acts, breaksRule }: WritingUnit, name: string, value: string) {
  for (const [place, act] of acts.entries()) {
    const row = { name: `${name} ${place}`, value };
    if (act === 'reads') await trx.first(find, { name: TAKEN });
    else if (act === 'runs') await trx.run(insert, row);
    else if (act === 'sends') trx.send(insert, row);
    else if (act === 'writes before the commit') trx.beforeCommit(row.name, (session) => session.send(insert, row));
    else {
      trx.send(insert, { ...row, value: 'before' });
      trx.send(change, row);
    }
  }
  if (breaksRule) trx.send(insert, { name: TAKEN, value });
}

test('wherever the connection is lost, a unit is stored once and as a whole or not at all, and its caller is told which', async (t) => {
  const url = await createPostgresDatabase(t);
  const line = await openCutConnection(t, url);
  const database = await openPostgres({ url: line.url, listen: false });
  t.after(() => database.close());
  await database.write('taken', (trx) => trx.run(insert, { name: TAKEN, value: '' }));
  const outcomes = new Map<string, number>();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(aUnit, { minLength: 1, maxLength: 4 }), aCut, async (units, cut) => {
      const prefix = `run ${String(run++).padStart(5, '0')}`;
      const attempts = units.map(() => 0);
      line.cutAt(cut);
      const results = await Promise.allSettled(
        units.map((unit, index) =>
          database.write('unit', (trx) => perform(trx, unit, `${prefix} ${index}`, String(++attempts[index]!)), unit),
        ),
      );
      line.cutAt(null);
      const rows = await database.read.all(findRun, { from: prefix, to: `${prefix}~` });
      for (const [index, unit] of units.entries()) {
        const stored = rows.filter(({ name }) => name.startsWith(`${prefix} ${index} `));
        const whole = unit.acts.filter((act) => act !== 'reads').length;
        const outcome = outcomeOf(results[index]!);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        const about = `${outcome}, attempt ${attempts[index]}: ${JSON.stringify(stored)}`;
        if (outcome === 'stored') assert.ok(!unit.breaksRule && stored.length === whole, about);
        else if (outcome === 'unknown') assert.ok(stored.length === 0 || stored.length === whole, about);
        else assert.equal(stored.length, 0, about);
        for (const { value } of stored) assert.equal(value, String(attempts[index]), about);
      }
    }),
    { numRuns: rounds(400) },
  );
  assert.deepEqual([...outcomes.keys()].sort(), ['not stored', 'stored', 'unknown']);
});

test('nothing is committed of a unit that sends a write which the driver refuses, as its last or before the commit', async (t) => {
  const database = await openPostgres({ url: await createPostgresDatabase(t), listen: false });
  t.after(() => database.close());
  const row = (name: string) => ({ name, value: '' });
  await database.write('first', (trx) => trx.run(insert, row('first')));
  const sendLast = database.write('last', async (trx) => {
    await trx.run(insert, row('last'));
    trx.send(refusedByDriver, row('first'));
  });
  await assert.rejects(sendLast, /Prepared statements must be unique/);
  const sendBefore = database.write('before', async (trx) => {
    trx.send(insert, row('before'));
    trx.beforeCommit('refused', (session) => session.send(refusedByDriver, row('first')));
  });
  await assert.rejects(sendBefore, /Prepared statements must be unique/);
  const rows = await database.read.all(findRun, { from: '', to: '~' });
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['first'],
  );
});

function outcomeOf(result: PromiseSettledResult<unknown>): 'stored' | 'not stored' | 'unknown' {
  if (result.status === 'fulfilled') return 'stored';
  return result.reason instanceof ServiceError && result.reason.outcomeUnknown ? 'unknown' : 'not stored';
}
