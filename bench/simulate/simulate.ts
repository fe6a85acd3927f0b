import { backOff } from '../../src/base/back-off.ts';
import { afterFault, closesIt, isLong, type Opened, standing, stateOf } from '../../src/routing/circuit.ts';
import { createFaultStreaks } from '../../src/routing/fault-streaks.ts';
import { pickRoute } from '../../src/routing/pick-route.ts';
import { rankAfter } from '../../src/tasks/fair-queue.ts';
import { callbackPauseMs, checkPauseMs } from '../../src/worker/check-pause.ts';
import { createEvents } from './events.ts';
import { createTally, type Figures } from './tally.ts';
import { createWaitingLine } from './waiting-line.ts';
import { drawWorld, typicalSeconds, type World } from './world.ts';

/** Orders that may be open at once. */
const MOST_OPEN = 2 ** 20;
const KINDS = ['arrival', 'look', 'answer', 'check', 'again'] as const;
type Kind = (typeof KINDS)[number];

/** A notice reaches a worker within this time, and a look follows. */
const NOTICE_MS = 20;
const SUBMISSION_MS = 200;
/** From the last sign of life of a worker until another takes its orders over. */
const TAKE_OVER_MS = 20_000;
/** From the end of an order until its upstream's call has arrived, and the share of calls that get lost. */
const CALL_MS = 100;
const LOST = 0.01;
const NONE = -1;

/**
 * Runs a fleet for some hours of virtual time: the queues, the circuits, the pauses between checks and the choice of
 * routes are decided by the functions that the service runs; upstreams, clients and workers are drawn from the seed.
 * @returns what it came to; the same for the same arguments
 */
export function simulate(world: World, seed: number): Figures {
  const drawn = drawWorld(world, seed);
  const { random, capacity } = drawn;
  const events = createEvents();
  const tally = createTally(world);
  const endMs = world.hours * 3_600_000;

  // One of each per open order; an order has the place of its number, modulo MOST_OPEN.
  const account = new Int32Array(MOST_OPEN).fill(NONE);
  const model = new Int16Array(MOST_OPEN);
  const upstream = new Int16Array(MOST_OPEN);
  const worker = new Int16Array(MOST_OPEN);
  const attempts = new Int16Array(MOST_OPEN);
  const film = new Uint8Array(MOST_OPEN);
  const rank = new Float64Array(MOST_OPEN);
  const createdAt = new Float64Array(MOST_OPEN);
  const submittedAt = new Float64Array(MOST_OPEN);
  const readyAt = new Float64Array(MOST_OPEN);
  let orders = 0;
  let nextAt = drawn.untilNext(0);

  // One of each per key and per queue. A queue is that of an upstream.
  const slots = new Int32Array(world.accounts);
  const heldBack = new Map<number, number[]>();
  const lastRank = new Float64Array(world.accounts * world.upstreams);
  const waiting = new Int32Array(world.accounts * world.upstreams);
  const queues = Array.from({ length: world.upstreams }, () => ({
    ...{ line: createWaitingLine(), clock: 0, inFlight: 0, isLookPlanned: false, isTrialOut: false },
    circuit: null as Opened | null,
  }));
  const streaks = Array.from({ length: world.workers }, createFaultStreaks);

  const plan = (kind: Kind, order: number, at: number) => events.add(order * KINDS.length + KINDS.indexOf(kind), at);
  const circuitOf = (name: number) => standing(queues[name]!.circuit ?? undefined, events.now);

  const act: Readonly<Record<Kind, (order: number) => void>> = {
    arrival: arrive,
    look,
    answer: answered,
    check,
    again: (order) => takeRoute(order),
  };
  plan('arrival', 0, nextAt);
  for (let event = events.take(); event !== null; event = events.take())
    act[KINDS[event % KINDS.length]!](Math.floor(event / KINDS.length));
  return tally.figures();

  function arrive(): void {
    for (; nextAt <= events.now && nextAt < endMs; nextAt += drawn.untilNext(nextAt)) placeOrder();
    if (nextAt < endMs) plan('arrival', 0, nextAt);
  }

  function placeOrder(): void {
    const order = orders++ % MOST_OPEN;
    if (account[order] !== NONE) throw new Error(`expected at most ${MOST_OPEN} open orders; the fleet is overloaded`);
    account[order] = drawn.nextAccount();
    model[order] = Math.floor(random() * drawn.routes.length);
    film[order] = drawn.isFilm() ? 1 : 0;
    attempts[order] = 0;
    createdAt[order] = nextAt;
    tally.ordered();
    takeRoute(order);
  }

  /** Places an order in the queue of the best route that its model has. */
  function takeRoute(order: number): void {
    const routes = drawn.routes[model[order]!]!.map((name) => ({ engine: String(name), name }));
    const route = pickRoute(
      routes,
      'order',
      {
        rankOf({ name }) {
          const opened = circuitOf(name);
          // The next order of one that is half open is the test order.
          if (opened === null || stateOf(opened, events.now) === 'half_open') return 0;
          return isLong(opened) ? 2 : 1;
        },
        ...{ weightOf: () => 1, costOf: () => null, secondsOf: () => null },
      },
      random(),
    );
    const name = route?.name ?? 0;
    const place = account[order]! * world.upstreams + name;
    upstream[order] = name;
    rank[order] = rankAfter(queues[name]!.clock, waiting[place] === 0 ? null : lastRank[place]!);
    lastRank[place] = rank[order]!;
    waiting[place]!++;
    if (slots[account[order]!]! < drawn.slotsOf(account[order]!)) letIn(order);
    else {
      const behind = heldBack.get(account[order]!);
      if (behind === undefined) heldBack.set(account[order]!, [order]);
      else behind.push(order);
    }
  }

  function letIn(order: number): void {
    slots[account[order]!]!++;
    queues[upstream[order]!]!.line.add(order, rank[order]!);
    planLook(upstream[order]!, events.now + NOTICE_MS);
  }

  function planLook(name: number, at: number): void {
    const queue = queues[name]!;
    if (queue.isLookPlanned) return;
    queue.isLookPlanned = true;
    plan('look', name, at);
  }

  /** A worker claims what a queue has room for. */
  function look(name: number): void {
    const queue = queues[name]!;
    const { now } = events;
    queue.isLookPlanned = false;
    const opened = circuitOf(name);
    const state = stateOf(opened, now);
    if (state === 'open') {
      if (opened !== null && isLong(opened)) moveOn(name);
      if (queue.line.length > 0) planLook(name, opened?.retry_at ?? now);
      return;
    }
    const isTrial = state === 'half_open';
    if (isTrial && queue.isTrialOut) return;
    let claimed = 0;
    while (queue.inFlight < capacity || isTrial) {
      const next = queue.line.take();
      if (next === undefined) break;
      claimed++;
      const { order } = next;
      queue.clock = Math.max(queue.clock, next.rank);
      queue.inFlight++;
      queue.isTrialOut = isTrial;
      waiting[account[order]! * world.upstreams + name]!--;
      worker[order] = Math.floor(random() * world.workers);
      plan('answer', order, now + SUBMISSION_MS);
      if (isTrial) break;
    }
    tally.looked(claimed);
  }

  /** Lets the orders that wait for an upstream that is away take another route, if there is one. */
  function moveOn(name: number): void {
    const { line } = queues[name]!;
    for (let left = line.length; left > 0; left--) {
      const { order } = line.take()!;
      waiting[account[order]! * world.upstreams + name]!--;
      slots[account[order]!]!--;
      takeRoute(order);
    }
  }

  /** An upstream has taken an order, or does not answer. */
  function answered(order: number): void {
    const { now } = events;
    const name = upstream[order]!;
    const queue = queues[name]!;
    const streak = streaks[worker[order]!]!;
    queue.isTrialOut = false;
    if (drawn.isOut(name, now)) {
      const call = 'start' as const;
      const blame = { ...{ engine: String(name), call, fault: 'upstream' as const }, message: '', retryAfterMs: null };
      const isTripped = streak.add(blame.engine, call, String(order), now);
      queue.circuit = afterFault(queue.circuit, blame, isTripped, now) ?? queue.circuit;
      tally.wasted();
      letGo(order, name);
      plan('again', order, now + backOff(attempts[order]!++, random()));
      return;
    }
    if (queue.circuit !== null && closesIt(queue.circuit, 'start', now)) queue.circuit = null;
    streak.clear(String(name), 'start');
    submittedAt[order] = now;
    readyAt[order] = now + drawn.durationMs(film[order] === 1);
    tally.submitted(account[order]!, now - SUBMISSION_MS - createdAt[order]!);
    planLook(name, now + NOTICE_MS);
    planCheck(order);
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
    letGo(order, upstream[order]!);
    account[order] = NONE;
  }

  /** Frees the slot of the upstream and that of the key. */
  function letGo(order: number, name: number): void {
    const of = account[order]!;
    queues[name]!.inFlight--;
    if (queues[name]!.line.length > 0) planLook(name, events.now + NOTICE_MS);
    slots[of]!--;
    const behind = heldBack.get(of);
    const next = behind?.shift();
    if (behind?.length === 0) heldBack.delete(of);
    if (next !== undefined) letIn(next);
  }
}
