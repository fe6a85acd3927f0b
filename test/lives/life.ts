import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createSecret, hashSecret } from '../../src/accounts/key-secret.ts';
import { wakeCheck } from '../../src/additions/callbacks/wake-check.ts';
import { isFinal } from '../../src/record/task.ts';
import { insertKey, openTestServices } from '../helpers/task-services.ts';
import { createAsking, GivenUp } from './asking.ts';
import { auditAll } from './audit-all.ts';
import { createBatchCustomers } from './batches.ts';
import { type Coverage, createCoverage, watchTable } from './coverage.ts';
import { createCustomers } from './customers.ts';
import { openDisks } from './disk.ts';
import { FailedLives } from './failed-lives.ts';
import { createFaults } from './faults.ts';
import { IMPOSSIBLE } from './impossible.ts';
import { createCommitJudge, judgeEnd, judgeErased, judgeMoment, type Outside } from './judges.ts';
import { createMachines } from './machines.ts';
import { createMemoryStorage } from './memory-storage.ts';
import { limitsOf, type Plan, settingsOf } from './plan.ts';
import { loadChores, type Shared, type SimulatedProcess } from './process.ts';
import {
  createFactsReader,
  createNewsReader,
  isPlacedUntil,
  isSubmitted,
  readChargedOfBatches,
  readWholeOrder,
} from './read-facts.ts';
import { createReceiver } from './receiver.ts';
import { createRestore, type Restored } from './restore.ts';
import { createSeeded } from './seeded.ts';
import { Simulation } from './simulation.ts';
import { createUpstreams } from './upstream.ts';

/** The orders of one plan, from their placing to their end. */
export interface Lives {
  /** What happened, one line an event. */
  readonly story: readonly string[];
  readonly deaths: number;
  /** How many orders were accepted; each has ended. */
  readonly accepted: number;
  /** How many orders were refused for good, such as those that the account cannot pay. */
  readonly refused: number;
  /** How many orders ended in each status, such as `succeeded`. */
  readonly ends: Readonly<Record<string, number>>;
  readonly simulatedMs: number;
}

/** The parts that all simulations of a program share, because they take long to open. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

export async function openStage(t: Pick<TestContext, 'after'>) {
  const { services, clock, database, address } = await openTestServices(t);
  const template = `${address.path}-template`;
  const key = await insertKey(services);
  const secret = createSecret('live', null);
  const hash = hashSecret(secret);
  await database.write('test_key', (trx) => trx.run(trx.builder.updateTable('api_keys').set({ hash })));
  await database.backup(template);
  await loadChores(services);
  const disks = openDisks(template, clock);
  t.after(() => disks.close());
  return { services, clock, disks, key, secret, beganAt: clock.now() };
}

const HOUR_MS = 3_600_000;
const NEW_MONTH = Date.UTC(2026, 11, 1);
/** How often an addition refuses an order or its result. */
const REFUSED = 0.05;
const JUDGED_EVERY_MS = 5_000;
/** From then on nothing goes wrong any more, so that everything has to end. */
const FAULTS_UNTIL_MS = 600_000;
/** So much later the days are closed, and so long their chores take. */
const [LATER_MS, SWEPT_MS] = [50 * HOUR_MS, 180_000];
/** Until then results are waited for that come after the end of their orders. */
const LATE_UNTIL_MS = 700_000;

/** The options of a simulation beside its plan. */
export interface LivesOptions {
  /** Whether the upstream makes twice what it is sent twice, so that a judge has something to find. */
  readonly lies?: boolean;
  /** Counts which faults happened where. */
  readonly coverage?: Coverage;
}

/**
 * Lives the orders of a plan, from their placing to their end.
 * @throws Error with the end of the story; its cause is what a judge found
 */
export async function live(stage: Stage, plan: Plan, options: LivesOptions = {}): Promise<Lives> {
  const { clock } = stage;
  const beginsAt = plan.untilNewMonthMs === null ? stage.beganAt : NEW_MONTH - plan.untilNewMonthMs;
  clock.advance(beginsAt - clock.now());
  const seeded = createSeeded(plan.seed);
  const simulation = new Simulation(clock, seeded);
  const outside = simulation.createWorld();
  const elapsedMs = () => simulation.elapsedMs;
  const story: string[] = [];
  const tell = (who: string, what: string) => void story.push(`${elapsedMs()} ${who} ${what}`);
  const coverage = options.coverage ?? createCoverage();
  const faults = createFaults(plan, seeded, coverage);
  let fault: unknown = null;
  let isOver = false;
  const note = (error: unknown) => {
    fault ??= error;
    isOver = true;
  };
  const meet = (cell: string) => {
    coverage.met.set(cell, (coverage.met.get(cell) ?? 0) + 1);
    if (IMPOSSIBLE[cell] !== undefined) note(new Error(`${cell}: ${IMPOSSIBLE[cell]}`));
  };
  watchTable(meet);
  const disk = stage.disks.create({ seeded, flushes: plan.processes === 1 });
  let heldUntil = 0;
  const isHeld = () => elapsedMs() < heldUntil;
  const restored: Restored = { isHeld: false, since: null, atMs: null };
  const hold = (ms: number) => {
    heldUntil = elapsedMs() + ms;
    tell('operator', `holds all submissions for ${ms} ms`);
  };
  const names = ['bfl', 'fal', 'replicate'].slice(0, plan.routes);
  const callBack = (engine: string, taskId: string, afterMs: number) => {
    const knock = ({ kernel }: SimulatedProcess) => void wakeCheck(kernel, { engine, taskId }).catch(() => {});
    outside.setTimeout(() => machines.onAny(knock, 1), afterMs);
  };
  const upstreams = createUpstreams({
    seeded,
    elapsedMs,
    tell,
    isHeld: () => restored.isHeld || isHeld(),
    isOfOriginal: (id) => restored.since !== null && isPlacedUntil(disk, id, restored.since),
    isSubmitted: (id) => isSubmitted(disk, id),
    call: callBack,
    names,
    lies: options.lies ?? false,
  });
  const judge = (taskId: string, isMade: boolean) => {
    if (!seeded.happens(REFUSED)) return null;
    if (isMade) upstreams.spoilt.add(taskId);
    return 'nobody wants to see this';
  };
  const receiver = createReceiver({ seeded, elapsedMs, tell });
  const storage = createMemoryStorage(() => clock.now(), faults, meet);
  const shared: Shared = {
    services: {
      ...stage.services,
      storage,
      // Every picture that is accepted decodes; it would be proven in another process.
      thumbnails: { ...stage.services.thumbnails, prove: async () => true },
      settings: { ...stage.services.settings, ...settingsOf(plan) },
    },
    upstreams,
    judge: plan.moderates ? judge : null,
    plan,
    receiver,
    seeded,
    faults,
    meet,
    tell,
    isHeld,
  };
  tell('seed', JSON.stringify({ ...plan, upstreams: upstreams.traits }));

  const machines = createMachines({
    plan,
    simulation,
    outside,
    seeded,
    faults,
    disk,
    shared,
    tell,
    note,
    isOver: () => isOver,
  });
  const pause = (ms: number) => new Promise<void>((resolve) => void outside.setTimeout(() => resolve(), ms));
  const asking = createAsking({
    call: machines.call,
    pause,
    seeded,
    elapsedMs,
    authorization: `Bearer ${stage.secret}`,
  });
  const batches = createBatchCustomers({ plan, seeded, asking, tell });
  const customers = createCustomers({
    plan,
    keyId: stage.key.id,
    accountId: stage.key.account.id,
    seeded,
    asking,
    tell,
    hold,
    restart: machines.restart,
    engines: names,
    now: () => clock.now(),
    elapsedMs,
    chargedOfBatches: () => readChargedOfBatches(disk),
  });
  const everybody: Outside = { plan, restored, upstreams, receiver, customers, batches };
  const readFacts = createFactsReader(disk);
  let areAnswered = false;
  const ends = new Map<string, string>();
  const look = (): void => {
    if (isOver) return;
    if (plan.clockJumps > 0 && faults.happens('clockJumps', 'a look')) {
      const ms = seeded.between(-5_000, 60_000);
      clock.advance(ms);
      tell('clock', `jumps by ${ms} ms`);
    }
    // What is not flushed may be undone.
    if (!disk.isFlushed()) return void outside.setTimeout(watch, seeded.between(1, 50));
    const facts = readFacts();
    judgeMoment(facts, everybody);
    for (const { id, status } of facts.orders.filter((order) => isFinal(order.status))) {
      if (!ends.has(id)) tell(id, status);
      assert.equal(status, ends.get(id) ?? status, `${id} ended twice`);
      ends.set(id, status);
    }
    const isOpen = ends.size < facts.orders.length || facts.batches.some(({ status }) => status === 'processing');
    const isLateDue = facts.lateResults > 0 && elapsedMs() < LATE_UNTIL_MS;
    if (!areAnswered || isOpen || facts.pendingEvents > 0 || isLateDue || !machines.areReady())
      return void outside.setTimeout(watch, JUDGED_EVERY_MS);
    judgeEnd(facts, everybody);
    judgeErased(facts, (id) => readWholeOrder(disk, id));
    // Without further faults the day's sums are closed, and files without a row are swept.
    faults.end();
    clock.advance(LATER_MS);
    outside.setTimeout(() => void auditAll(disk, storage, clock.now()).then(() => (isOver = true), note), SWEPT_MS);
  };
  const restoreBackup = createRestore({
    disk,
    storage,
    people: [customers, batches, receiver],
    restored,
    plan,
    asking,
    customers,
    machines,
    seeded,
    tell,
    onRestored() {
      ends.clear();
      const there = new Map(readFacts().orders.map(({ id, status }) => [id, status]));
      for (const id of upstreams.book.keys()) if (!there.has(id)) upstreams.lost.add(id);
      for (const [id, status] of there) if (isFinal(status)) upstreams.ended.add(id);
    },
  });
  const watch = () => {
    try {
      look();
    } catch (error) {
      note(error);
    }
  };
  outside.setImmediate(() => {
    machines.begin();
    watch();
    outside.setTimeout(() => faults.end(), FAULTS_UNTIL_MS);
    const clients = Array.from({ length: plan.orders }, (_, place) => customers.order(`o${place + 1}`));
    const deeds = Array.from({ length: plan.deeds }, () => customers.operate());
    if (plan.batch > 0) clients.push(batches.place());
    if (plan.restores) deeds.push(restoreBackup());
    const ended = [...clients, ...deeds].map((done) =>
      done.catch((error: unknown) => {
        if (!(error instanceof GivenUp)) throw error;
      }),
    );
    Promise.all(ended).then(() => {
      areAnswered = true;
      faults.end();
    }, note);
  });
  try {
    disk.prepare(limitsOf(plan));
    const judgeCommit = createCommitJudge(everybody);
    const news = createNewsReader(disk);
    await simulation
      .run(
        () => isOver,
        HOUR_MS + plan.batch * plan.deadlineMs, // With no slot, the orders of a batch end one deadline after the other.
        () => judgeCommit(news()),
      )
      .catch(note);
    machines.killAll();
    // What the dead had begun in the database is rolled back.
    await simulation.run(() => false, 1_000).catch(() => {});
  } finally {
    await disk.close();
  }
  if (fault !== null) throw new FailedLives(plan, story, fault);
  const counted = Object.entries(Object.groupBy(ends.values(), (status) => status));
  return {
    story,
    deaths: machines.deaths(),
    accepted: ends.size,
    refused: customers.refused(),
    ends: Object.fromEntries(counted.map(([status, all]) => [status, all?.length ?? 0])),
    simulatedMs: elapsedMs(),
  };
}
