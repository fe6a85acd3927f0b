import { type Act, recordAct } from '../accounts/audit.ts';
import type { Clock } from '../base/clock.ts';
import type { Database, Session } from '../database/database.ts';
import type { EngineError } from '../engines/engine.ts';
import {
  afterFault,
  type Blame,
  type CircuitState,
  closesIt,
  type EngineCall,
  type Opened,
  standing,
  stateOf,
  UPSTREAM_FAULTS,
  type UpstreamFault,
} from './circuit.ts';
import { createFaultStreaks } from './fault-streaks.ts';

/** The circuits of all engines, shared by all processes through the database; while all is well nothing is written. */
export interface Circuits {
  /** Null while it is closed. */
  of(engine: string): Opened | null;
  stateOf(engine: string): CircuitState;
  /** Whether an order may be handed over now. While half open that takes the trial which this process was given. */
  mayStart(engine: string): boolean;
  /** Whether an order is waited for that tries the upstream. */
  hasTrial(engine: string): boolean;
  /** Gives the right to try one order to this process. */
  giveTrial(engine: string): void;
  /** A call failed. @returns whether a circuit changed by it */
  failed(engine: string, call: EngineCall, taskId: string, error: EngineError): Promise<boolean>;
  /** A call came through, or the order itself was refused: the upstream works. */
  succeeded(engine: string, call: EngineCall): Promise<void>;
  /** The upstream does not answer when asked whether it is well. */
  stillDown(engine: string, message: string): Promise<void>;
  /** Closes it by hand; what is closed stays so. */
  close(engine: string, by: Act): Promise<void>;
  /** Reads what other processes know. */
  refresh(): Promise<void>;
  /** Ends the reading. */
  stop(): void;
}

export interface CircuitOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** A circuit opened, changed or closed; null = closed. */
  readonly onChange: (engine: string, opened: Opened | null) => void;
  /** Told of a read or write that failed; the last state goes on to hold. */
  readonly onError: (error: unknown) => void;
}

const REFRESH_MS = 1_000;
const TRIAL_MS = 2 * 60_000;

/** Reads the circuits now and once a second from then on, so that one which opens holds in every process within a second. */
export async function openCircuits({ database, clock, onChange, onError }: CircuitOptions): Promise<Circuits> {
  let known = new Map<string, Opened>();
  const trials = new Map<string, number>();
  const streaks = createFaultStreaks();
  const of = (engine: string) => (known.size === 0 ? null : standing(known.get(engine), clock.now()));

  async function refresh(): Promise<void> {
    known = new Map((await listOpened(database.read)).map((opened) => [opened.engine, opened]));
  }

  async function write(opened: Opened, before: Opened | null): Promise<boolean> {
    const { engine, ...changes } = opened;
    const written = await database.write('open_circuit', async (trx) => {
      const insert = trx.builder.insertInto('circuits').values({ ...opened, trial_until: null });
      return await trx.run(
        insert.onConflict((conflict) =>
          conflict
            .column('engine')
            .doUpdateSet({ ...changes, trial_until: null })
            // Of those who met the same outage, one counts.
            .where('circuits.retry_at', '=', before?.retry_at ?? known.get(engine)?.retry_at ?? opened.retry_at),
        ),
      );
    });
    await refresh();
    trials.delete(engine);
    if (written > 0) onChange(engine, opened);
    return written > 0;
  }

  async function judge(blame: Blame, tripped: boolean): Promise<boolean> {
    const before = of(blame.engine);
    const opened = afterFault(before, blame, tripped, clock.now());
    return opened !== null && (await write(opened, before));
  }

  async function remove(engine: string, record: Act | null): Promise<void> {
    const removed = await database.write('close_circuit', async (trx) => {
      const count = await trx.run(trx.builder.deleteFrom('circuits').where('engine', '=', engine));
      if (count > 0 && record !== null) await recordAct(trx, record, { act: 'engine.close_circuit', target: engine });
      return count;
    });
    streaks.forget(engine);
    trials.delete(engine);
    await refresh();
    if (removed > 0) onChange(engine, null);
  }

  await refresh();
  const timer = setInterval(() => refresh().catch(onError), REFRESH_MS);
  timer.unref();
  return {
    of,
    stateOf: (engine) => stateOf(of(engine), clock.now()),
    mayStart(engine) {
      const state = stateOf(of(engine), clock.now());
      return state === 'closed' || (state === 'half_open' && trials.delete(engine));
    },
    hasTrial: (engine) => (trials.get(engine) ?? 0) > clock.now(),
    giveTrial: (engine) => void trials.set(engine, clock.now() + TRIAL_MS),
    async failed(engine, call, taskId, error) {
      const fault = upstreamFault(error);
      if (fault === null) return false;
      const { message, retryAfterMs } = error;
      const tripped = streaks.add(engine, call, taskId, clock.now());
      return await judge({ engine, call, fault, message, retryAfterMs }, tripped).catch(swallow(onError, false));
    },
    async succeeded(engine, call) {
      streaks.clear(engine, call);
      const opened = of(engine);
      if (opened === null || !closesIt(opened, call, clock.now())) return;
      await remove(engine, null).catch(swallow(onError, undefined));
    },
    async stillDown(engine, message) {
      const opened = of(engine);
      if (opened === null) return;
      await judge({ engine, call: opened.call, fault: opened.fault, message, retryAfterMs: null }, false);
    },
    close: (engine, by) => remove(engine, by),
    refresh,
    stop: () => clearInterval(timer),
  };
}

/** Takes the right to try one order while a circuit is half open, for all processes. @returns whether it was free */
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

/** Null where it says nothing of the upstream: a verdict on the order. */
function upstreamFault(error: EngineError): UpstreamFault | null {
  return UPSTREAM_FAULTS.find((fault) => fault === error.class) ?? null;
}

function swallow<T>(onError: (error: unknown) => void, instead: T): (error: unknown) => T {
  return (error) => {
    onError(error);
    return instead;
  };
}
