import { type CircuitState, type Clock, world } from '@darkroom-service/contract';
import type { EngineError } from '@darkroom-service/engines';
import { type Act, recordAct } from '../accounts/audit.ts';
import type { Database, Session } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import {
  afterFault,
  type Blame,
  closesIt,
  type EngineCall,
  engineOfCircuit,
  isLasting,
  isOpened,
  isOutage,
  modelOfCircuit,
  type Opened,
  routeCircuit,
  standing,
  stateOf,
  upstreamFault,
} from './circuit.ts';
import { createFaultStreaks } from './fault-streaks.ts';
import { countAccepted, endsSlowBegin, insertSlowBegin } from './slow-begin.ts';
import { type CircuitRow, listStored, removeOpened, TRIAL_MS } from './stored-circuit.ts';
import { wakeOrders } from './wake-orders.ts';

/**
 * The circuits of all engines, shared by all processes through the database. Nothing is written while all circuits are
 * closed.
 */
export interface Circuits {
  /** Returns the open circuit; null while it is closed. */
  of(engine: string): Opened | null;
  stateOf(engine: string): CircuitState;
  /** Returns the open circuits of an engine's models. */
  routesOf(engine: string): Opened[];
  /**
   * Tells whether an order of this route may be submitted now. While the circuit is half open, this uses up the test
   * that this process may run.
   * @param wasRefused whether the order was refused before: for two seconds the test is left to other orders
   */
  mayStart(route: { readonly engine: string; readonly model: string | null }, wasRefused?: boolean): boolean;
  /** Tells whether this process waits for a test order. @param circuit of an engine or a route, as below */
  hasTrial(circuit: string): boolean;
  /** Allows this process one test order. */
  giveTrial(circuit: string): void;
  /**
   * Reports a failed call.
   * @param isProven whether it alone shows that waiting does not help; default: if its class is documented
   * @returns whether a circuit changed
   */
  failed(circuit: string, call: EngineCall, taskId: string, error: EngineError, isProven?: boolean): Promise<boolean>;
  /**
   * Reports that the upstream works: a call succeeded, or the order itself was refused.
   * @param accepted whether it accepted an order
   */
  succeeded(circuit: string, call: EngineCall, accepted?: boolean): Promise<void>;
  /** Reports that calls are open far longer than usual. */
  hangs(engine: string, message: string): Promise<void>;
  /**
   * Reports that an upstream does not answer, or that an own server does not make a model (`not_loaded`: it works and
   * makes others); both are asked for at no cost.
   */
  away(circuit: string, message: string, kind?: 'outage' | 'not_loaded'): Promise<void>;
  /** Reports that an own server answers, or makes the model: the circuit closes without a test order. */
  back(circuit: string): Promise<void>;
  /** Stops new orders for a time, because the operator limits how many are submitted per minute. */
  pause(engine: string, message: string, forMs: number): Promise<void>;
  /** Stops new orders until a time, because the operator's spend limit is reached. An open circuit stays as it is. */
  limitReached(engine: string, message: string, until: number): Promise<void>;
  /** Reports a failed probe. */
  stillDown(engine: string, message: string): Promise<void>;
  /**
   * Returns how many submissions to an engine may be open at once while orders begin slowly, over all processes, and
   * why they waited; null = there is no such limit.
   */
  beginning(engine: string): { readonly atOnce: number; readonly reason: string } | null;
  /** Tells whether so many were open a moment ago. */
  isFull(engine: string): boolean;
  /** Reports that so many are open. */
  noteFull(engine: string): void;
  /**
   * Lets orders that have waited begin slowly, if a lost submission to the engine cannot be repeated.
   * @param reason why they waited, for operators
   */
  beginSlowly(engine: string, reason: string): Promise<void>;
  /** Closes the circuits of an engine and of its models by hand; closed ones stay closed. */
  close(engine: string, by: Act): Promise<void>;
  /** Reads the changes of other processes. */
  refresh(): Promise<void>;
  /** Stops reading. */
  stop(): Promise<void>;
}

interface CircuitOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Called when a circuit opens, changes or closes (null). */
  readonly onChange: (engine: string, opened: Opened | null) => void;
  /** Called when a circuit could not be written; what the order needed goes on. */
  readonly onError: (error: unknown) => void;
  readonly startRefresh: StartRefresh;
  /**
   * Returns how many orders an engine must accept after a pause until it gets them at full speed; 0 = it gets them at
   * once.
   */
  readonly acceptedUntilTrusted?: (engine: string) => number;
}

const NOTHING_TO_DO = Promise.resolve();
const REFRESH_MS = 1_000;
/** How long a test is reserved for orders that were not refused before. */
const KEPT_FOR_OTHERS_MS = 2_000;
/** Other processes may have had an answer after this time. */
const FULL_FOR_MS = 500;

/** Reads the circuits now and every second, so that an opened circuit applies in all processes within a second. */
export async function openCircuits({
  database,
  clock,
  onChange,
  onError,
  startRefresh,
  acceptedUntilTrusted = () => 0,
}: CircuitOptions): Promise<Circuits> {
  let known = new Map<string, CircuitRow>();
  const trials = new Map<string, { readonly givenAt: number }>();
  const fullUntil = new Map<string, number>();
  const streaks = createFaultStreaks();
  const of = (engine: string) => (known.size === 0 ? null : standing(known.get(engine), clock.now()));
  const atOnceOf = (engine: string) => (known.size === 0 ? null : (known.get(engine)?.at_once ?? null));

  const refresh = await startRefresh('circuits', REFRESH_MS, async () => {
    known = new Map((await listStored(database.read)).map((opened) => [opened.engine, opened]));
  });

  async function write(opened: Opened, before: Opened | null): Promise<boolean> {
    const { engine, ...changes } = opened;
    const written = await database.write('open_circuit', async (trx) => {
      const insert = trx.builder.insertInto('circuits').values({ ...opened, trial_until: null, at_once: null });
      return await trx.run(
        insert.onConflict((conflict) =>
          conflict
            .column('engine')
            .doUpdateSet({ ...changes, trial_until: null, at_once: null })
            // Several processes may report the same outage; only one counts.
            .where('circuits.retry_at', '=', before?.retry_at ?? known.get(engine)?.retry_at ?? opened.retry_at),
        ),
      );
    });
    await refresh.now();
    trials.delete(engine);
    if (written > 0) onChange(engine, opened);
    return written > 0;
  }

  async function judge(blame: Blame, tripped: boolean): Promise<boolean> {
    const before = of(blame.engine);
    const opened = afterFault(before, blame, tripped || endsSlowBegin(blame, atOnceOf(blame.engine)), clock.now());
    // A short pause that the upstream asks for does not show that it works.
    if (opened === null || (opened.kind === 'pause' && atOnceOf(blame.engine) !== null)) return false;
    return await write(opened, before);
  }

  /** @param atOnce how many submissions may be open at first, where orders then begin slowly */
  async function remove(name: string, record: Act | null, atOnce = 1): Promise<void> {
    const names = record === null ? [name] : [name, ...routesOf(name).map(({ engine }) => engine)];
    const engine = engineOfCircuit(name);
    const reason = known.get(name)?.message ?? 'its circuit was open';
    const removed = await database.write('close_circuit', async (trx) => {
      await record?.binding?.within(trx, name);
      const gone: string[] = [];
      for (const circuit of names) if ((await trx.run(removeOpened(trx, circuit))) > 0) gone.push(circuit);
      if (gone.length > 0 && acceptedUntilTrusted(engine) > 0)
        await insertSlowBegin(trx, engine, { atOnce, reason, now: clock.now() });
      if (gone.length > 0) await wakeOrders(trx, engine);
      if (gone.length > 0 && record !== null)
        await recordAct(trx, record, { act: 'engine.close_circuit', target: name });
      return gone;
    });
    for (const circuit of names) {
      streaks.forget(circuit);
      trials.delete(circuit);
    }
    await refresh.now();
    for (const circuit of removed) onChange(circuit, null);
  }

  async function accept(engine: string): Promise<void> {
    const trusted = acceptedUntilTrusted(engine);
    await database.write('accepted', (trx) => countAccepted(trx, engine, trusted));
    fullUntil.delete(engine);
    await refresh.now();
  }

  function routesOf(engine: string): Opened[] {
    return [...known.values()]
      .filter(isOpened)
      .filter(({ engine: name }) => modelOfCircuit(name) !== null && engineOfCircuit(name) === engine);
  }

  function canTry(name: string, wasRefused: boolean): boolean {
    const state = stateOf(of(name), clock.now());
    if (state !== 'half_open') return state === 'closed';
    const trial = trials.get(name);
    return trial !== undefined && !(wasRefused && clock.now() - trial.givenAt < KEPT_FOR_OTHERS_MS);
  }

  return {
    of,
    stateOf: (engine) => stateOf(of(engine), clock.now()),
    routesOf,
    mayStart(route, wasRefused = false) {
      if (known.size === 0) return true;
      const names = [route.engine, routeCircuit(route)];
      if (!names.every((name) => canTry(name, wasRefused))) return false;
      for (const name of names) trials.delete(name);
      return true;
    },
    hasTrial(circuit) {
      const trial = trials.get(circuit);
      return trial !== undefined && clock.now() - trial.givenAt < TRIAL_MS;
    },
    giveTrial: (circuit) => void trials.set(circuit, { givenAt: clock.now() }),
    async failed(engine, call, taskId, error, isProven = error.proof === 'documented') {
      const found = upstreamFault(error);
      if (found === null) return false;
      // Words in one answer may be those of the order itself.
      const fault = isLasting(found) && !isProven ? 'upstream' : found;
      const { message, retryAfterMs } = error;
      const tripped = streaks.add(engine, call, taskId, clock.now());
      return await judge({ engine, call, fault, message, retryAfterMs, isProven }, tripped).catch(
        swallow(onError, false),
      );
    },
    succeeded(engine, call, accepted = false) {
      streaks.clear(engine, call);
      if (accepted && atOnceOf(engine) !== null) return accept(engine).catch(swallow(onError, undefined));
      const opened = of(engine);
      if (opened === null || !closesIt(opened, call, clock.now())) return NOTHING_TO_DO;
      return remove(engine, null, accepted ? 2 : 1).catch(swallow(onError, undefined));
    },
    async hangs(engine, message) {
      await judge({ engine, call: 'start', fault: 'timeout', message, retryAfterMs: null }, true);
    },
    async away(circuit, message, kind = 'outage') {
      await judge({ engine: circuit, kind, call: 'start', fault: 'upstream', message, retryAfterMs: null }, true);
    },
    async back(circuit) {
      if (of(circuit) !== null) await remove(circuit, null);
    },
    async pause(engine, message, forMs) {
      const opened = of(engine);
      if (opened !== null && isOutage(opened)) return;
      await judge({ engine, call: 'start', fault: 'rate_limited', message, retryAfterMs: forMs }, false);
    },
    async limitReached(engine, message, until) {
      const before = of(engine);
      const now = clock.now();
      if (stateOf(before, now) === 'open') return;
      const opened = { engine, kind: 'spend_limit', fault: 'billing', call: 'start', message } as const;
      await write({ ...opened, openings: 1, opened_at: now, retry_at: until }, before);
    },
    async stillDown(engine, message) {
      const opened = of(engine);
      if (opened === null) return;
      const { call, fault } = opened;
      await judge({ engine, call, fault, message, retryAfterMs: null, isProbe: true }, false);
    },
    beginning(engine) {
      const stored = known.get(engine);
      return typeof stored?.at_once !== 'number' ? null : { atOnce: stored.at_once, reason: stored.message };
    },
    isFull: (engine) => fullUntil.size > 0 && (fullUntil.get(engine) ?? 0) > world.monotonic(),
    noteFull: (engine) => void fullUntil.set(engine, world.monotonic() + FULL_FOR_MS),
    async beginSlowly(engine, reason) {
      if (acceptedUntilTrusted(engine) === 0 || of(engine) !== null || atOnceOf(engine) !== null) return;
      await database.write('begin_slowly', (trx) =>
        insertSlowBegin(trx, engine, { atOnce: 1, reason, now: clock.now() }),
      );
      await refresh.now();
    },
    close: (engine, by) => remove(engine, by),
    refresh: refresh.now,
    stop: refresh.stop,
  };
}

/** Lists the circuits that are open. */
export async function listOpened(session: Session): Promise<Opened[]> {
  return (await listStored(session)).filter(isOpened);
}

function swallow<T>(onError: (error: unknown) => void, instead: T): (error: unknown) => T {
  return (error) => {
    onError(error);
    return instead;
  };
}
