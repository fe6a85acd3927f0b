import type { Clock } from '@darkroom-service/contract/clock';
import { type CircuitState, UPSTREAM_FAULTS, type UpstreamFault } from '@darkroom-service/contract/words';
import type { EngineError } from '@darkroom-service/engines/engine';
import { type Act, recordAct } from '../accounts/audit.ts';
import type { Database, Session } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import {
  afterFault,
  type Blame,
  closesIt,
  type EngineCall,
  engineOfCircuit,
  isOutage,
  modelOfCircuit,
  type Opened,
  routeCircuit,
  standing,
  stateOf,
} from './circuit.ts';
import { createFaultStreaks } from './fault-streaks.ts';
import { wakeHeldBack } from './wake-held-back.ts';

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
  /** Reports a failed call. @returns whether a circuit changed */
  failed(circuit: string, call: EngineCall, taskId: string, error: EngineError): Promise<boolean>;
  /** Reports that the upstream works: a call succeeded, or the order itself was refused. */
  succeeded(circuit: string, call: EngineCall): Promise<void>;
  /** Reports that calls are open far longer than usual. */
  hangs(engine: string, message: string): Promise<void>;
  /**
   * Reports that an upstream does not answer, or that an own server does not make a model; both are asked for at no
   * cost.
   */
  away(circuit: string, message: string): Promise<void>;
  /** Reports that an own server answers, or makes the model: the circuit closes without a test order. */
  back(circuit: string): Promise<void>;
  /** Stops new orders for a time, because the operator limits how many are submitted per minute. */
  pause(engine: string, message: string, forMs: number): Promise<void>;
  /** Stops new orders until a time, because the operator's spend limit is reached. An open circuit stays as it is. */
  limitReached(engine: string, message: string, until: number): Promise<void>;
  /** Reports a failed probe. */
  stillDown(engine: string, message: string): Promise<void>;
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
}

const NOTHING_TO_DO = Promise.resolve();
const REFRESH_MS = 1_000;
const TRIAL_MS = 2 * 60_000;
/** How long a test is reserved for orders that were not refused before. */
const KEPT_FOR_OTHERS_MS = 2_000;

/** Reads the circuits now and every second, so that an opened circuit applies in all processes within a second. */
export async function openCircuits({
  database,
  clock,
  onChange,
  onError,
  startRefresh,
}: CircuitOptions): Promise<Circuits> {
  let known = new Map<string, Opened>();
  const trials = new Map<string, { readonly givenAt: number }>();
  const streaks = createFaultStreaks();
  const of = (engine: string) => (known.size === 0 ? null : standing(known.get(engine), clock.now()));

  const refresh = await startRefresh('circuits', REFRESH_MS, async () => {
    known = new Map((await listOpened(database.read)).map((opened) => [opened.engine, opened]));
  });

  async function write(opened: Opened, before: Opened | null): Promise<boolean> {
    const { engine, ...changes } = opened;
    const written = await database.write('open_circuit', async (trx) => {
      const insert = trx.builder.insertInto('circuits').values({ ...opened, trial_until: null });
      return await trx.run(
        insert.onConflict((conflict) =>
          conflict
            .column('engine')
            .doUpdateSet({ ...changes, trial_until: null })
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
    const opened = afterFault(before, blame, tripped, clock.now());
    return opened !== null && (await write(opened, before));
  }

  async function remove(name: string, record: Act | null): Promise<void> {
    const names = record === null ? [name] : [name, ...routesOf(name).map(({ engine }) => engine)];
    const removed = await database.write('close_circuit', async (trx) => {
      await record?.binding?.within(trx, name);
      const gone: string[] = [];
      for (const circuit of names)
        if ((await trx.run(trx.builder.deleteFrom('circuits').where('engine', '=', circuit))) > 0) gone.push(circuit);
      if (gone.length > 0) await wakeHeldBack(trx, engineOfCircuit(name));
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

  function routesOf(engine: string): Opened[] {
    return [...known.values()].filter(
      (opened) => modelOfCircuit(opened.engine) !== null && engineOfCircuit(opened.engine) === engine,
    );
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
    async failed(engine, call, taskId, error) {
      const fault = upstreamFault(error);
      if (fault === null) return false;
      const { message, retryAfterMs } = error;
      const tripped = streaks.add(engine, call, taskId, clock.now());
      return await judge({ engine, call, fault, message, retryAfterMs }, tripped).catch(swallow(onError, false));
    },
    succeeded(engine, call) {
      streaks.clear(engine, call);
      const opened = of(engine);
      if (opened === null || !closesIt(opened, call, clock.now())) return NOTHING_TO_DO;
      return remove(engine, null).catch(swallow(onError, undefined));
    },
    async hangs(engine, message) {
      await judge({ engine, call: 'start', fault: 'timeout', message, retryAfterMs: null }, true);
    },
    async away(circuit, message) {
      await judge({ engine: circuit, call: 'start', fault: 'upstream', message, retryAfterMs: null }, true);
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
      const opened = { engine, fault: 'billing', call: 'start', message, openings: 1, opened_at: now } as const;
      await write({ ...opened, retry_at: until }, before);
    },
    async stillDown(engine, message) {
      const opened = of(engine);
      if (opened === null) return;
      const { call, fault } = opened;
      await judge({ engine, call, fault, message, retryAfterMs: null, isProbe: true }, false);
    },
    close: (engine, by) => remove(engine, by),
    refresh: refresh.now,
    stop: refresh.stop,
  };
}

/** Reserves the test order of a half-open circuit among all processes. @returns whether it was free */
export async function takeTrial(database: Database, opened: Opened, now: number): Promise<boolean> {
  return await database.write('take_trial', async (trx) => {
    const taken = await trx.run(
      trx.builder
        .updateTable('circuits')
        .set({ trial_until: now + TRIAL_MS })
        .where('engine', '=', opened.engine)
        .where('retry_at', '=', opened.retry_at)
        .where((expression) =>
          expression.or([expression('trial_until', 'is', null), expression('trial_until', '<=', now)]),
        ),
    );
    return taken > 0;
  });
}

export async function listOpened(session: Session): Promise<Opened[]> {
  return await session.all(
    session.builder
      .selectFrom('circuits')
      .select(['engine', 'fault', 'call', 'message', 'openings', 'opened_at', 'retry_at'])
      .orderBy('engine'),
  );
}

/** Converts an error to a fault; null if it says nothing about the upstream, such as a refusal of the order itself. */
function upstreamFault(error: EngineError): UpstreamFault | null {
  return UPSTREAM_FAULTS.find((fault) => fault === error.class) ?? null;
}

function swallow<T>(onError: (error: unknown) => void, instead: T): (error: unknown) => T {
  return (error) => {
    onError(error);
    return instead;
  };
}
