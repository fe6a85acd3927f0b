import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { createRateLimits } from '../../../../src/accounts/rate-limits.ts';
import { createShareTable } from '../../test/share-table.ts';
import { fairShares } from './fair-shares.ts';
import type { Share } from './next-share.ts';
import { createShareKeeper, type ShareKeeper } from './share-keeper.ts';
import type { ShareStore } from './share-store.ts';

const TIMES = { trustMs: 60_000, settleMs: 90_000, goneMs: 900_000, turnMs: 600_000 };
/** As long as a statement may take. */
const LONGEST_CLAIM_MS = 25_000;
const LONGEST_ORDER_MS = TIMES.goneMs - TIMES.trustMs - LONGEST_CLAIM_MS;
const STEP_MS = 1_000;
const ID = 'fal';

type Fault = 'none' | 'away' | 'lost' | 'unanswered' | 'late';

interface Process {
  keeper: ShareKeeper;
  fault: Fault;
  pausedUntil: number;
  /** Each machine has a clock of its own. */
  wallAhead: number;
}

/** Cells of two processes each that use one account, in virtual time. */
function createFleet(names: readonly string[], whole: () => number, perMinute: number) {
  const clock = { now: 0, ahead: 0 };
  const table = createShareTable(() => clock.now + clock.ahead);
  let isAway = false;
  const late: { at: number; run: () => void }[] = [];
  const cells = names.map((name) => {
    const cell = {
      name,
      waiting: 0,
      inFlight: [] as number[],
      submissions: [] as number[],
      pace: createRateLimits({ now: () => clock.now }),
      processes: [] as Process[],
    };
    cell.processes = [0, 1].map(() => start(cell));
    return cell;
  });
  type Cell = (typeof cells)[number];

  function start(cell: { name: string; waiting: number; inFlight: number[] }): Process {
    const state: Process = { keeper: null as never, fault: 'none', pausedUntil: 0, wallAhead: 0 };
    const fails = (fault: Fault) => isAway || state.fault === fault;
    const store: ShareStore = {
      ...table.store,
      async read(ids) {
        if (fails('away')) throw new Error('away');
        return await table.store.read(ids);
      },
      async write(changes) {
        if (fails('lost')) throw new Error('lost');
        if (state.fault === 'late') {
          late.push({ at: clock.now + 100_000, run: () => table.write(changes) });
          throw new Error('late');
        }
        const written = table.write(changes);
        if (state.fault === 'unanswered') throw new Error('unanswered');
        return written;
      },
    };
    const account = {
      id: ID,
      limit: whole(),
      perMinute: { creates: perMinute },
      async count(most: number) {
        const used = cell.inFlight.length;
        return { used, wanted: Math.min(most, used + cell.waiting) };
      },
    };
    state.keeper = createShareKeeper({
      cell: cell.name,
      store,
      accounts: () => [account],
      times: TIMES,
      submits: true,
      steady: () => clock.now,
      wall: () => clock.now + state.wallAhead,
    });
    return state;
  }

  return {
    clock,
    cells,
    start,
    setAway: (away: boolean) => {
      isAway = away;
    },
    /** A second passes: orders end, late writes arrive, processes look, and claim what they may. */
    async pass(orderMs: (cell: Cell) => number, claimMs: () => number) {
      clock.now += STEP_MS;
      for (const write of late.filter(({ at }) => at <= clock.now)) {
        write.run();
        late.splice(late.indexOf(write), 1);
      }
      const awake = cells.flatMap(({ processes }) => processes.filter(({ pausedUntil }) => pausedUntil <= clock.now));
      // All read before one of them writes.
      await Promise.allSettled(awake.map(({ keeper }) => keeper.refresh()));
      for (const cell of cells) {
        cell.inFlight = replaced(cell.inFlight, (end) => end > clock.now);
        for (const one of cell.processes) {
          if (one.pausedUntil > clock.now) continue;
          const capacity = one.keeper.shareOf(ID);
          claimLater(cell, capacity, claimMs(), orderMs(cell));
          const part = one.keeper.shareOf(ID, 'creates');
          if (part > 0 && cell.pace.take('creates', 'creates', part)?.allowed) cell.submissions.push(clock.now);
        }
      }
    },
    inFlight: () => cells.reduce((sum, { inFlight }) => sum + inFlight.length, 0),
    submissions: () => cells.flatMap(({ submissions }) => submissions).sort((one, other) => one - other),
    limits: () => names.map((name) => (table.stateOf(ID, name) as Share | undefined)?.limit ?? 0),
  };

  /** The capacity is read, and the claim is committed some time later. */
  function claimLater(cell: Cell, capacity: number, afterMs: number, orderMs: number): void {
    const claim = () => {
      while (cell.waiting > 0 && cell.inFlight.length < capacity) {
        cell.waiting--;
        cell.inFlight.push(clock.now + orderMs);
      }
    };
    if (afterMs === 0) claim();
    else late.push({ at: clock.now + afterMs, run: claim });
  }

  /** The same array, so that processes see it. */
  function replaced(values: number[], keep: (value: number) => boolean): number[] {
    values.splice(0, values.length, ...values.filter(keep));
    return values;
  }
}

const CELLS = ['eu1', 'us1', 'us2'];
const anyPlace = fc.record({ cell: fc.nat(CELLS.length - 1), process: fc.nat(1) });
const anyFault = fc.constantFrom<Fault>('none', 'away', 'lost', 'unanswered', 'late');
const anyEvent = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 200 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('order' as const), at: anyPlace, count: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('fault' as const), at: anyPlace, fault: anyFault }) },
  fc.record({ type: fc.constant('pause' as const), at: anyPlace, seconds: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ type: fc.constant('restart' as const), at: anyPlace }),
  fc.record({ type: fc.constant('stop' as const), cell: fc.nat(CELLS.length - 1), seconds: fc.constant(1_000) }),
  fc.record({ type: fc.constant('clock' as const), at: anyPlace, aheadMs: fc.integer({ min: -1e7, max: 1e7 }) }),
  fc.record({ type: fc.constant('tableClock' as const), aheadMs: fc.integer({ min: -1e7, max: 1e7 }) }),
  fc.record({ type: fc.constant('tableAway' as const), away: fc.boolean() }),
);

test('cells never use more than the whole together, whatever is lost, late, paused, stopped or set to another time', async () => {
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 1, max: 30 }),
    fc.array(anyEvent, { minLength: 10, maxLength: 40, size: 'max' }),
    fc.infiniteStream(fc.nat(LONGEST_ORDER_MS)),
    fc.infiniteStream(fc.oneof(fc.constant(0), fc.nat(LONGEST_CLAIM_MS))),
    async (whole, perMinute, events, orders, claims) => {
      const fleet = createFleet(CELLS, () => whole, perMinute);
      const { clock, cells } = fleet;
      const orderMs = () => orders.next().value as number;
      const pass = async (seconds: number) => {
        for (let second = 0; second < seconds; second++) {
          await fleet.pass(orderMs, () => claims.next().value as number);
          assert.ok(fleet.inFlight() <= whole, `${fleet.inFlight()} in flight of ${whole}`);
        }
      };
      for (const event of events) {
        if (event.type === 'pass') await pass(event.seconds);
        else if (event.type === 'stop') {
          // All of it: nobody renews its part, and its orders go on at the upstream.
          for (const one of cells[event.cell]!.processes) one.pausedUntil = Number.POSITIVE_INFINITY;
          await pass(event.seconds);
          cells[event.cell]!.processes = [0, 1].map(() => fleet.start(cells[event.cell]!));
        } else if (event.type === 'tableClock') clock.ahead = event.aheadMs;
        else if (event.type === 'tableAway') fleet.setAway(event.away);
        else {
          const cell = cells[event.at.cell]!;
          const one = cell.processes[event.at.process]!;
          if (event.type === 'order') cell.waiting += event.count;
          else if (event.type === 'fault') one.fault = event.fault;
          else if (event.type === 'pause') one.pausedUntil = clock.now + event.seconds * 1000;
          else if (event.type === 'clock') one.wallAhead = event.aheadMs;
          else cell.processes[event.at.process] = fleet.start(cell);
        }
      }
      const times = fleet.submissions();
      // Counts go by whole seconds.
      for (const [index, at] of times.entries())
        if (index >= perMinute) assert.ok(at - times[index - perMinute]! >= 60_000, 'a limit per minute');
    },
  );
  await fc.assert(property, { numRuns: rounds(25) });
});

test('parts become fair: what idle cells leave goes to the busy ones, and comes back', async () => {
  const property = fc.asyncProperty(
    fc.integer({ min: 3, max: 40 }),
    fc.array(fc.nat(60), { minLength: CELLS.length, maxLength: CELLS.length }),
    fc.array(fc.nat(60), { minLength: CELLS.length, maxLength: CELLS.length }),
    async (whole, first, second) => {
      const fleet = createFleet(CELLS, () => whole, 30);
      for (const load of [first, second]) {
        for (let second = 0; second < 400; second++) {
          for (const [index, cell] of fleet.cells.entries())
            cell.waiting = Math.max(0, load[index]! - cell.inFlight.length);
          await fleet.pass(
            () => 5_000,
            () => 0,
          );
        }
        const limits = fleet.limits();
        const fair = fairShares(whole, load, 0);
        for (const [index, limit] of limits.entries())
          assert.ok(Math.abs(limit - fair[index]!) <= 1, `${limits} instead of ${fair} of ${whole} for ${load}`);
      }
    },
  );
  await fc.assert(property, { numRuns: rounds(10) });
});

test('where there is less than 1 for each, cells take turns, and none starves', async () => {
  const fleet = createFleet(CELLS, () => 1, 1);
  const begun = CELLS.map(() => 0);
  for (let second = 0; second < 3_600; second++) {
    for (const [index, cell] of fleet.cells.entries()) {
      begun[index]! += cell.waiting === 0 ? 1 : 0;
      cell.waiting = 1;
    }
    await fleet.pass(
      () => 5_000,
      () => 0,
    );
    assert.ok(fleet.inFlight() <= 1);
  }
  for (const [index, count] of begun.entries()) assert.ok(count > 30, `${CELLS[index]} had ${begun}`);
  for (const cell of fleet.cells) assert.ok(cell.submissions.length > 3, `${cell.name}: ${cell.submissions.length}`);
});

test('the cells go on with what they have for a minute while the shared table is away, and then wait for it', async () => {
  const fleet = createFleet(CELLS, () => 30, 30);
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++)
      await fleet.pass(
        () => 5_000,
        () => 0,
      );
  };
  const parts = () => fleet.cells.map(({ processes }) => processes[0]!.keeper.shareOf(ID));
  for (const cell of fleet.cells) cell.waiting = 1e6;
  await pass(200);
  assert.deepEqual(parts(), [10, 10, 10]);
  fleet.setAway(true);
  await pass(59);
  assert.deepEqual(parts(), [10, 10, 10]);
  await pass(2);
  assert.deepEqual(parts(), [0, 0, 0]);
  fleet.setAway(false);
  await pass(1);
  assert.deepEqual(parts(), [10, 10, 10]);
});

test('a process that does not reach the table uses nothing by the time others may, or if its machine was suspended', async () => {
  const fleet = createFleet(CELLS, () => 10, 30);
  const [first, second] = fleet.cells;
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed++) {
      await fleet.pass(
        () => 5_000,
        () => 0,
      );
      assert.ok(fleet.inFlight() <= 10, `${fleet.inFlight()} in flight`);
    }
  };
  first!.waiting = 1e6;
  await pass(100);
  const cut = first!.processes[1]!;
  cut.fault = 'away';
  second!.waiting = 1e6;
  await pass(30);
  assert.equal(cut.keeper.shareOf(ID), 8);
  cut.wallAhead = 61_000;
  assert.equal(cut.keeper.shareOf(ID), 0, 'the clock of the machine shows that it was suspended');
  cut.wallAhead = 0;
  await pass(370);
  assert.equal(cut.keeper.shareOf(ID), 0);
  assert.deepEqual(fleet.limits().toSorted(), [1, 4, 5]);
});

test('a cell that reads the table but cannot write it uses nothing by the time it loses its part', async () => {
  const fleet = createFleet(CELLS, () => 3, 30);
  const pass = async (seconds: number, orderMs: number) => {
    for (let passed = 0; passed < seconds; passed++) {
      await fleet.pass(
        () => orderMs,
        () => 0,
      );
      assert.ok(fleet.inFlight() <= 3, `${fleet.inFlight()} in flight`);
    }
  };
  for (const cell of fleet.cells) cell.waiting = 1e6;
  await pass(100, 5_000);
  assert.deepEqual(fleet.limits(), [1, 1, 1]);
  const [first] = fleet.cells;
  for (const one of first!.processes) one.fault = 'lost';
  await pass(1_100, LONGEST_ORDER_MS);
  const [ofFirst, ...ofOthers] = fleet.limits();
  assert.equal(ofFirst, 0);
  assert.deepEqual(ofOthers.toSorted(), [1, 2], 'another cell uses the part that was lost');
});
