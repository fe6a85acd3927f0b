import { type Clock, world } from '@darkroom-service/contract';
import type { EngineError } from '@darkroom-service/engines';
import { type Act, recordAct } from '../accounts/audit.ts';
import type { Database } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import { createFaultStreaks } from './fault-streaks.ts';
import { KnownValves } from './known-valves.ts';
import { countAccepted, endsSlowBegin, insertSlowBegin } from './slow-begin.ts';
import { isShut, TRIAL_MS, writeShut } from './stored-valves.ts';
import {
  afterFault,
  type Blame,
  type Cause,
  closesIt,
  type EngineCall,
  EVERY_CAUSE,
  engineOf,
  isLasting,
  isOutage,
  OF_SERVERS,
  type Shut,
  subjectOfRoute,
  upstreamFault,
} from './valve.ts';
import { wakeOrders } from './wake-orders.ts';

interface ValveOptions {
  readonly database: Database;
  readonly clock: Clock;
  /**
   * Called when a valve is shut, changes or opens.
   * @param shut current obstacle to orders of the subject; null = none
   */
  readonly onChange: (subject: string, shut: Shut | null) => void;
  /** Called when a valve could not be written; the order continues. */
  readonly onError: (error: unknown) => void;
  readonly startRefresh: StartRefresh;
  /**
   * Returns the number of orders that an engine must accept after a pause until it gets them at full speed; 0 = at
   * once.
   */
  readonly acceptedUntilTrusted?: (engine: string) => number;
}

export type Valves = Pick<SharedValves, keyof SharedValves>;

const NOTHING_TO_DO = Promise.resolve();
/** Time for which a test is reserved for orders that were not refused before. */
const KEPT_FOR_OTHERS_MS = 2_000;
/** Time for which a full engine is not asked again: other processes may have had an answer by then. */
const FULL_FOR_MS = 500;

/**
 * Valves of all engines and their models, shared by all processes through the database. Nothing is written while all
 * are open. A subject, which is an engine or one of its models, is
 *
 * - *free*: it has no row, and gets orders.
 * - *shut* by a fault (`#shut`): it gets none until a time.
 * - *on trial* after that time: one order at a time tests it (`giveTrial`, `mayStart`), and shuts it again if it fails.
 * - *free* again once a cause is gone (`#open`). An engine then begins slowly, until it has accepted enough orders
 *   (`#accept`).
 */
export class SharedValves extends KnownValves {
  readonly #options: ValveOptions;
  /** Time at which this process was given the test of a subject. */
  readonly #trials = new Map<string, number>();
  /** Time until which an engine counts as full. */
  readonly #fullUntil = new Map<string, number>();
  readonly #streaks = createFaultStreaks();

  static async open(options: ValveOptions): Promise<SharedValves> {
    const valves = new SharedValves(options);
    await valves.startReading(options.database, options.startRefresh);
    return valves;
  }

  private constructor(options: ValveOptions) {
    super(options.clock);
    this.#options = options;
  }

  /**
   * Tells whether an order of this route may be submitted now. If one may test the upstream, this uses up the test that
   * this process may run.
   * @param wasRefused whether the order was refused before: for two seconds the test is left to other orders
   */
  mayStart(route: { readonly engine: string; readonly model: string | null }, wasRefused = false): boolean {
    if (this.areAllOpen) return true;
    const subjects = [route.engine, subjectOfRoute(route)];
    if (!subjects.every((subject) => this.#canTry(subject, wasRefused))) return false;
    for (const subject of subjects) this.#trials.delete(subject);
    return true;
  }

  /** Tells whether this process waits for a test order. @param subject an engine or a route */
  hasTrial(subject: string): boolean {
    const givenAt = this.#trials.get(subject);
    return givenAt !== undefined && this.now() - givenAt < TRIAL_MS;
  }

  /** Allows this process one test order. */
  giveTrial(subject: string): void {
    this.#trials.set(subject, this.now());
  }

  /**
   * Reports a failed call.
   * @param isProven whether it alone shows that waiting does not help; default: if its class is documented
   * @returns whether a valve changed
   */
  async failed(
    subject: string,
    call: EngineCall,
    taskId: string,
    error: EngineError,
    isProven = error.proof === 'documented',
  ): Promise<boolean> {
    const found = upstreamFault(error);
    if (found === null) return false;
    const { message, retryAfterMs } = error;
    const tripped = this.#streaks.add(subject, call, taskId, this.now());
    // Words in one answer may come from the order itself, but hardly in the answers to several orders in a row.
    const isLikely = isProven || (found === 'billing' && tripped);
    const fault = isLasting(found) && !isLikely ? 'upstream' : found;
    const blame = { subject, call, fault, message, retryAfterMs, isProven };
    return await this.#judge(blame, tripped).catch(this.#report(false));
  }

  /**
   * Reports that the upstream works: a call succeeded, or the order itself was refused.
   * @param accepted whether it accepted an order
   */
  succeeded(subject: string, call: EngineCall, accepted = false): Promise<void> {
    this.#streaks.clear(subject, call);
    const rows = this.rowsOf(subject);
    if (rows.length === 0) return NOTHING_TO_DO;
    const causes = rows
      .filter(isShut)
      .filter((one) => OF_SERVERS.includes(one.kind) && closesIt(one, call, this.now()))
      .map(({ kind }) => kind);
    if (causes.length > 0)
      return this.#open(subject, causes, { maxOpen: accepted ? 2 : 1 }).catch(this.#report(undefined));
    if (accepted && this.beginning(subject) !== null) return this.#accept(subject).catch(this.#report(undefined));
    return NOTHING_TO_DO;
  }

  /** Reports that calls are open far longer than usual. */
  async hangs(engine: string, message: string): Promise<void> {
    await this.#judge({ subject: engine, call: 'start', fault: 'timeout', message, retryAfterMs: null }, true);
  }

  /**
   * Reports that an upstream does not answer, or that an own server does not make a model (`not_loaded`: it works and
   * makes others); both are asked for at no cost.
   */
  async away(subject: string, message: string, kind: 'outage' | 'not_loaded' = 'outage'): Promise<void> {
    const refuted = OF_SERVERS.filter((cause) => cause !== kind);
    await this.#judge({ subject, kind, call: 'start', fault: 'upstream', message, retryAfterMs: null }, true, refuted);
  }

  /**
   * Reports that a cause is gone: the valve opens without a test order.
   * @param causes default: an own server answers, or makes the model
   */
  async back(subject: string, causes = OF_SERVERS): Promise<void> {
    if (causes.some((cause) => this.of(subject, cause) !== null)) await this.#open(subject, causes);
  }

  /** Stops new orders for a time, because the operator limits how many are submitted per minute. */
  async pause(engine: string, message: string, forMs: number): Promise<void> {
    const now = this.now();
    const before = this.of(engine, 'rate');
    const until = now + forMs;
    if (before !== null && before.retry_at >= until) return;
    const valve = { kind: 'rate', fault: 'rate_limited', call: 'start', message, times: 0 } as const;
    await this.#shut({ ...valve, subject: engine, since: before?.since ?? now, retry_at: until });
  }

  /** Stops new orders until a time, because the operator's spend limit is reached. */
  async limitReached(engine: string, message: string, until: number): Promise<void> {
    const valve = { kind: 'spend_limit', fault: 'billing', call: 'start', message, times: 1 } as const;
    await this.#shut({ ...valve, subject: engine, since: this.now(), retry_at: until });
  }

  /** Reports a failed probe. */
  async stillDown(engine: string, message: string): Promise<void> {
    const down = this.of(engine, 'outage');
    if (down === null) return;
    const { call, fault } = down;
    await this.#judge({ subject: engine, call, fault, message, retryAfterMs: null, isProbe: true }, false);
  }

  /**
   * Lets orders that have waited begin slowly, if a lost submission to the engine cannot be repeated.
   * @param reason the reason why they waited, for operators
   */
  async beginSlowly(engine: string, reason: string): Promise<void> {
    if (this.#trustedAfter(engine) === 0 || this.of(engine) !== null || this.beginning(engine) !== null) return;
    await this.#options.database.write('begin_slowly', (trx) =>
      insertSlowBegin(trx, engine, { maxOpen: 1, reason, now: this.now() }),
    );
    await this.refresh();
  }

  /** Tells whether the maximum number of submissions was open a moment ago. */
  isFull(engine: string): boolean {
    return this.#fullUntil.size > 0 && (this.#fullUntil.get(engine) ?? 0) > world.monotonic();
  }

  /** Reports that the maximum number of submissions is open. */
  recordFull(engine: string): void {
    this.#fullUntil.set(engine, world.monotonic() + FULL_FOR_MS);
  }

  /** Opens the valves of an engine and of its models by hand, unless an operator switched it off. */
  async open(engine: string, by: Act): Promise<void> {
    await this.#open(engine, EVERY_CAUSE, { by });
  }

  async #judge(blame: Blame, tripped: boolean, refuted: readonly Cause[] = []): Promise<boolean> {
    const { subject } = blame;
    const before = this.of(subject, blame.kind ?? 'outage') ?? this.of(subject, 'pause');
    const isEnough = tripped || endsSlowBegin(blame, this.beginning(subject)?.maxOpen ?? null);
    const valve = afterFault(before, blame, isEnough, this.now());
    return valve !== null && (await this.#shut(valve, refuted));
  }

  /** @param refuted causes that this one disproves */
  async #shut(valve: Shut, refuted: readonly Cause[] = []): Promise<boolean> {
    const { database, onChange } = this.#options;
    const { subject } = valve;
    const before = this.rowsOf(subject).find(({ kind }) => kind === valve.kind)?.retry_at ?? valve.retry_at;
    const gone = isOutage(valve) ? [...refuted, 'slow_begin' as const] : [];
    const written = await database.write('shut_valve', (trx) => writeShut(trx, valve, { before, gone }));
    await this.refresh();
    this.#trials.delete(subject);
    if (written) onChange(subject, this.of(subject));
    return written;
  }

  /** @param maxOpen maximum number of open submissions at first, where orders then begin slowly */
  async #open(
    subject: string,
    causes: readonly Cause[],
    { by = null, maxOpen = 1 }: { readonly by?: Act | null; readonly maxOpen?: number } = {},
  ): Promise<void> {
    const { database, onChange } = this.#options;
    const subjects = by === null ? [subject] : [subject, ...this.routesOf(subject).map((route) => route.subject)];
    const engine = engineOf(subject);
    const reason = this.of(subject)?.message ?? 'its circuit was open';
    const opened = await database.write('open_valve', async (trx) => {
      await by?.binding?.within(trx, subject);
      const gone: string[] = [];
      for (const one of subjects) {
        const shut = trx.builder.deleteFrom('valves').where('subject', '=', one).where('kind', 'in', causes);
        if ((await trx.run(shut)) > 0) gone.push(one);
      }
      if (gone.length > 0 && this.#trustedAfter(engine) > 0)
        await insertSlowBegin(trx, engine, { maxOpen, reason, now: this.now() });
      if (gone.length > 0) await wakeOrders(trx, engine);
      if (gone.length > 0 && by !== null) await recordAct(trx, by, { act: 'engine.close_circuit', target: subject });
      return gone;
    });
    for (const one of subjects) {
      this.#streaks.forget(one);
      this.#trials.delete(one);
    }
    await this.refresh();
    for (const one of opened) onChange(one, this.of(one));
  }

  async #accept(engine: string): Promise<void> {
    const trusted = this.#trustedAfter(engine);
    await this.#options.database.write('accepted', (trx) => countAccepted(trx, engine, trusted));
    this.#fullUntil.delete(engine);
    await this.refresh();
  }

  #canTry(subject: string, wasRefused: boolean): boolean {
    const state = this.stateOf(subject);
    if (state !== 'on_trial') return state === 'free';
    const givenAt = this.#trials.get(subject);
    return givenAt !== undefined && !(wasRefused && this.now() - givenAt < KEPT_FOR_OTHERS_MS);
  }

  #trustedAfter(engine: string): number {
    return this.#options.acceptedUntilTrusted?.(engine) ?? 0;
  }

  /** Returns a handler that reports an error and returns a value in place of the result. */
  #report<T>(instead: T): (error: unknown) => T {
    return (error) => {
      this.#options.onError(error);
      return instead;
    };
  }
}
