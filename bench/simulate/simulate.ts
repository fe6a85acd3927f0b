import { backOff } from '../../src/base/back-off.ts';
import { rankAfter } from '../../src/queue/fair-queue.ts';
import { createFaultStreaks } from '../../src/routing/fault-streaks.ts';
import { afterFault, type Blame, closesIt, isInForce, isLong, type Shut, stateOf } from '../../src/routing/valve.ts';
import { callbackPauseMs, checkPauseMs } from '../../src/worker/check-pause.ts';
import { bestRoute } from './best-route.ts';
import { createEvents } from './events.ts';
import { createKeySlots } from './key-slots.ts';
import { createOrders, MOST_OPEN, NONE } from './orders.ts';
import { openSharedAccounts } from './shared-accounts.ts';
import { createTally, type Figures } from './tally.ts';
import { createUpstreams } from './upstreams.ts';
import { createWaitingQueue } from './waiting-queue.ts';
import { drawWorld, typicalSeconds, type World } from './world.ts';

const KINDS = ['arrival', 'look', 'answer', 'check', 'again', 'second'] as const;
type Kind = (typeof KINDS)[number];

/** A notice reaches a worker within this time, and a look follows. */
const NOTICE_MS = 20;
const SUBMISSION_MS = 200;
const SECOND_MS = 1_000;
/** From the last sign of life of a worker until another takes its orders over. */
const TAKE_OVER_MS = 20_000;
/** From the end of an order until its upstream's call has arrived, and the share of calls that get lost. */
const CALL_MS = 100;
const LOST = 0.01;

/**
 * Runs a fleet for some hours of virtual time: the queues, the valves, the limits of upstreams and the cells' parts
 * of them, the pauses between checks and the choice of routes are decided by the functions that the service runs;
 * upstreams, clients and workers are drawn from the seed.
 * @returns what it came to; the same for the same arguments
 */
export async function simulate(world: World, seed: number): Promise<Figures> {
  const drawn = drawWorld(world, seed);
  const { random } = drawn;
  const events = createEvents();
  const tally = createTally(world);
  const endMs = world.hours * 3_600_000;

  const { account, model, upstream, worker, attempts, film, rank, createdAt, submittedAt, readyAt } = createOrders();
  let orders = 0;
  let open = 0;
  let nextAt = drawn.untilNext(0);

  // One of each per key and per queue. A queue is that of an upstream in a cell.
  const slots = createKeySlots(world.accounts, drawn.slotsOf);
  const lastRank = new Float64Array(world.accounts * world.upstreams);
  const waiting = new Int32Array(world.accounts * world.upstreams);
  const queues = Array.from({ length: world.cells * world.upstreams }, () => ({
    backlog: createWaitingQueue(),
    clock: 0,
    inFlight: 0,
    isLookPlanned: false,
    isTrialOut: false,
    shut: null as Shut | null,
  }));
  const cellOf = (order: number) => account[order]! % world.cells;
  const placeOf = (cell: number, name: number) => cell * world.upstreams + name;
  const queueOf = (order: number) => placeOf(cellOf(order), upstream[order]!);
  const accounts = openSharedAccounts(
    world,
    drawn,
    () => events.now,
    (cell, name) => {
      const { backlog, inFlight } = queues[placeOf(cell, name)]!;
      return { waiting: backlog.length, inFlight };
    },
  );
  const streaks = Array.from({ length: world.workers }, createFaultStreaks);
  const workersOf = Array.from({ length: world.cells }, (_, cell) =>
    Array.from({ length: world.workers }, (_, one) => one).filter((one) => one % world.cells === cell),
  );
  const upstreams = createUpstreams(world, drawn, () => events.now);

  const plan = (kind: Kind, order: number, at: number) => events.add(order * KINDS.length + KINDS.indexOf(kind), at);
  const shutOf = (place: number) => {
    const { shut } = queues[place]!;
    return shut !== null && isInForce(shut, events.now) ? shut : null;
  };

  const act: Readonly<Record<Kind, (order: number) => void | Promise<void>>> = {
    arrival: arrive,
    look: refresh,
    answer: answered,
    check,
    again: (order) => takeRoute(order),
    second,
  };
  plan('arrival', 0, nextAt);
  plan('second', 0, 0);
  for (let event = events.take(); event !== null; event = events.take()) {
    const acting = act[KINDS[event % KINDS.length]!](Math.floor(event / KINDS.length));
    // Most are done at once.
    if (acting !== undefined) await acting;
  }
  return tally.figures();

  function arrive(): void {
    for (; nextAt <= events.now && nextAt < endMs; nextAt += drawn.untilNext(nextAt)) placeOrder();
    if (nextAt < endMs) plan('arrival', 0, nextAt);
  }

  function placeOrder(): void {
    const order = orders++ % MOST_OPEN;
    if (account[order] !== NONE) throw new Error(`expected at most ${MOST_OPEN} open orders; the fleet is overloaded`);
    account[order] = drawn.nextAccount(nextAt);
    model[order] = Math.floor(random() * drawn.routes.length);
    film[order] = drawn.isFilm() ? 1 : 0;
    attempts[order] = 0;
    createdAt[order] = nextAt;
    tally.ordered();
    open++;
    takeRoute(order);
  }

  /** Places an order in the queue of the best route that its model has. */
  function takeRoute(order: number): void {
    const shutAt = (name: number) => shutOf(placeOf(cellOf(order), name));
    const name = bestRoute(drawn.routes[model[order]!]!, shutAt, events.now, random());
    const place = account[order]! * world.upstreams + name;
    upstream[order] = name;
    rank[order] = rankAfter(queues[queueOf(order)]!.clock, waiting[place] === 0 ? null : lastRank[place]!);
    lastRank[place] = rank[order]!;
    waiting[place]!++;
    if (slots.take(account[order]!, order)) letIn(order);
  }

  function letIn(order: number): void {
    const place = queueOf(order);
    queues[place]!.backlog.add(order, rank[order]!);
    planLook(place, events.now + NOTICE_MS);
  }

  function planLook(place: number, at: number): void {
    const queue = queues[place]!;
    if (queue.isLookPlanned) return;
    queue.isLookPlanned = true;
    plan('look', place, at);
  }

  /** Each second a cell looks at its parts, and the first one at what is left unused. */
  async function second(cell: number): Promise<void> {
    const { now } = events;
    await accounts.refresh(cell);
    if (cell === 0) {
      for (let other = 1; other < world.cells; other++) plan('second', other, now + (other * SECOND_MS) / world.cells);
      for (let name = 0; name < world.upstreams; name++) if (!drawn.isOut(name, now)) tellUnused(name);
      if (now < endMs || open > 0) plan('second', 0, now + SECOND_MS);
    }
    for (let name = 0; name < world.upstreams; name++)
      if (queues[placeOf(cell, name)]!.backlog.length > 0) planLook(placeOf(cell, name), now + NOTICE_MS);
  }

  function tellUnused(name: number): void {
    let waiting = 0;
    for (const [cell, fair] of accounts.fairPartsOf(name).entries()) {
      const place = placeOf(cell, name);
      if (shutOf(place) === null) waiting += queues[place]!.backlog.length;
      tally.part(place, { part: accounts.limitOf(cell, name), fair, now: events.now });
    }
    tally.unused(drawn.capacityOf(name, events.now), Math.min(upstreams.roomOf(name), waiting));
  }

  /** Workers claim what a queue has room for. */
  async function refresh(place: number): Promise<void> {
    const queue = queues[place]!;
    const [cell, name] = [Math.floor(place / world.upstreams), place % world.upstreams];
    const { now } = events;
    queue.isLookPlanned = false;
    const shut = shutOf(place);
    const state = stateOf(shut, now);
    if (state === 'shut') {
      if (shut !== null && isLong(shut)) moveOn(place);
      if (queue.backlog.length > 0) planLook(place, shut?.retry_at ?? now);
      return;
    }
    const isTrial = state === 'on_trial';
    if (isTrial && queue.isTrialOut) return;
    const ready = workersOf[cell]!.filter((one) => isTrial || !accounts.loads[one]!.isBackingOff(String(name)));
    const limit = isTrial ? Number.POSITIVE_INFINITY : accounts.limitOf(cell, name);
    let claimed = 0;
    while (ready.length > 0 && queue.inFlight < limit && queue.backlog.length > 0) {
      const by = ready[Math.floor(random() * ready.length)]!;
      const waitMs = await accounts.countSubmission(by, name);
      if (waitMs !== null) {
        const blame: Blame = { ...blameOf(name), fault: 'rate_limited', retryAfterMs: waitMs };
        if (!isTrial) queue.shut = afterFault(shut, blame, false, now);
        planLook(place, now + waitMs);
        break;
      }
      const { order, rank } = queue.backlog.take()!;
      claimed++;
      queue.clock = Math.max(queue.clock, rank);
      queue.inFlight++;
      queue.isTrialOut = isTrial;
      waiting[account[order]! * world.upstreams + name]!--;
      worker[order] = by;
      plan('answer', order, now + SUBMISSION_MS);
      if (isTrial) break;
    }
    tally.looked(claimed);
  }

  /** Lets the orders that wait for an upstream that is away take another route, if there is one. */
  function moveOn(place: number): void {
    const { backlog } = queues[place]!;
    for (let left = backlog.length; left > 0; left--) {
      const { order } = backlog.take()!;
      waiting[account[order]! * world.upstreams + upstream[order]!]!--;
      slots.give(account[order]!);
      takeRoute(order);
    }
  }

  /** An upstream has taken an order, refuses it, or does not answer. */
  function answered(order: number): void {
    const { now } = events;
    const name = upstream[order]!;
    const queue = queues[queueOf(order)]!;
    const by = worker[order]!;
    const streak = streaks[by]!;
    queue.isTrialOut = false;
    const answer = upstreams.answer(name);
    if (answer === 'away') {
      const blame = blameOf(name);
      const isTripped = streak.add(blame.subject, blame.call, String(order), now);
      queue.shut = afterFault(queue.shut, blame, isTripped, now) ?? queue.shut;
      tally.wasted();
      tryAgain(order);
      return;
    }
    if (answer === 'refused') {
      accounts.refused(by, name);
      tally.refused();
      tryAgain(order);
      return;
    }
    accounts.succeeded(by, name);
    if (queue.shut !== null && closesIt(queue.shut, 'start', now)) queue.shut = null;
    streak.clear(String(name), 'start');
    submittedAt[order] = now;
    readyAt[order] = now + drawn.durationMs(film[order] === 1);
    tally.submitted(account[order]!, now - SUBMISSION_MS - createdAt[order]!);
    planLook(queueOf(order), now + NOTICE_MS);
    planCheck(order);
  }

  function tryAgain(order: number): void {
    letGo(order);
    plan('again', order, events.now + backOff(attempts[order]!++, random()));
  }

  function planCheck(order: number): void {
    const { now } = events;
    const running = now - submittedAt[order]!;
    if (!world.callsBack) {
      plan('check', order, now + checkPauseMs(running, random()));
      return;
    }
    const at = now + callbackPauseMs(running, typicalSeconds(film[order] === 1), random());
    const calledAt = readyAt[order]! + CALL_MS;
    plan('check', order, calledAt < at && random() >= LOST ? calledAt : at);
  }

  function check(order: number): void {
    const { now } = events;
    const diedAt = drawn.diedAt(worker[order]!, now);
    if (diedAt > submittedAt[order]! && now < diedAt + TAKE_OVER_MS) {
      plan('check', order, diedAt + TAKE_OVER_MS);
      return;
    }
    tally.checked(upstream[order]!, now);
    if (now < readyAt[order]!) {
      planCheck(order);
      return;
    }
    tally.settled(now - readyAt[order]!);
    upstreams.ended(upstream[order]!);
    open--;
    letGo(order);
    account[order] = NONE;
  }

  /** Frees the slot of the upstream and that of the key. */
  function letGo(order: number): void {
    const place = queueOf(order);
    queues[place]!.inFlight--;
    if (queues[place]!.backlog.length > 0) planLook(place, events.now + NOTICE_MS);
    const next = slots.handOn(account[order]!);
    if (next !== undefined) letIn(next);
  }
}

function blameOf(name: number): Blame {
  return { subject: String(name), call: 'start', fault: 'upstream', message: '', retryAfterMs: null };
}
