import { world } from '@darkroom-service/contract';
import { type Act, recordAct } from '../accounts/audit.ts';
import { withoutKey } from '../tasks/owned-instance.ts';
import { createFaultStreaks } from './fault-streaks.ts';
import { countAccepted, endsSlowBegin, insertSlowBegin } from './slow-begin.ts';
import { isShut, listValves, shutSubjects, TRIAL_MS, type ValveRow, writeShut } from './stored-valves.ts';
import { subjectOfSwitch } from './switched-off.ts';
import {
  afterFault,
  type Blame,
  type Cause,
  closesIt,
  EVERY_CAUSE,
  engineOf,
  gravest,
  isLasting,
  isOutage,
  modelOf,
  OF_SERVERS,
  type Shut,
  stateOf,
  subjectOfRoute,
  upstreamFault,
} from './valve.ts';
import type { ValveOptions, Valves } from './valves.ts';
import { wakeOrders } from './wake-orders.ts';

const NOTHING_TO_DO = Promise.resolve();
const REFRESH_MS = 1_000;
/** Time for which a test is reserved for orders that were not refused before. */
const KEPT_FOR_OTHERS_MS = 2_000;
/** Time for which a full engine is not asked again: other processes may have had an answer by then. */
const FULL_FOR_MS = 500;
const NONE: readonly ValveRow[] = [];

/** Reads the valves now and every second, so that a shut valve applies in all processes within a second. */
export async function openValves({
  database,
  clock,
  onChange,
  onError,
  startRefresh,
  acceptedUntilTrusted = () => 0,
}: ValveOptions): Promise<Valves> {
  let known = new Map<string, readonly ValveRow[]>();
  const trials = new Map<string, { readonly givenAt: number }>();
  const fullUntil = new Map<string, number>();
  const streaks = createFaultStreaks();
  const rowsOf = (subject: string) => (known.size === 0 ? NONE : (known.get(subject) ?? NONE));

  const refresh = await startRefresh('valves', REFRESH_MS, async () => {
    known = Map.groupBy(await listValves(database.read), ({ subject }) => subject);
  });

  function of(subject: string, kind?: Cause): Shut | null {
    const rows = rowsOf(subject);
    if (rows.length === 0) return null;
    const shut = rows.filter(isShut);
    return gravest(kind === undefined ? shut : shut.filter((one) => one.kind === kind), clock.now());
  }

  function beginning(engine: string) {
    const slow = rowsOf(engine).find(({ kind }) => kind === 'slow_begin');
    if (slow === undefined || slow.at_once === null) return null;
    const shut = of(engine);
    return shut !== null && isOutage(shut) ? null : { atOnce: slow.at_once, reason: slow.message ?? '' };
  }

  /** @param refuted causes that this one disproves */
  async function shut(valve: Shut, refuted: readonly Cause[] = []): Promise<boolean> {
    const { subject } = valve;
    const before = rowsOf(subject).find(({ kind }) => kind === valve.kind)?.retry_at;
    const gone = isOutage(valve) ? [...refuted, 'slow_begin' as const] : [];
    const written = await database.write('shut_valve', (trx) =>
      writeShut(trx, valve, { before: before ?? valve.retry_at, gone }),
    );
    await refresh.now();
    trials.delete(subject);
    if (written) onChange(subject, of(subject));
    return written;
  }

  async function judge(blame: Blame, tripped: boolean, refuted: readonly Cause[] = []): Promise<boolean> {
    const { subject } = blame;
    const before = of(subject, blame.kind ?? 'outage') ?? of(subject, 'pause');
    const isEnough = tripped || endsSlowBegin(blame, beginning(subject)?.atOnce ?? null);
    const valve = afterFault(before, blame, isEnough, clock.now());
    return valve !== null && (await shut(valve, refuted));
  }

  /** @param atOnce maximum number of open submissions at first, where orders then begin slowly */
  async function open(
    subject: string,
    causes: readonly Cause[],
    { by = null, atOnce = 1 }: { readonly by?: Act | null; readonly atOnce?: number } = {},
  ): Promise<void> {
    const subjects = by === null ? [subject] : [subject, ...routesOf(subject).map((route) => route.subject)];
    const engine = engineOf(subject);
    const reason = of(subject)?.message ?? 'its circuit was open';
    const opened = await database.write('open_valve', async (trx) => {
      await by?.binding?.within(trx, subject);
      const gone: string[] = [];
      for (const one of subjects) {
        const shut = trx.builder.deleteFrom('valves').where('subject', '=', one).where('kind', 'in', causes);
        if ((await trx.run(shut)) > 0) gone.push(one);
      }
      if (gone.length > 0 && acceptedUntilTrusted(engine) > 0)
        await insertSlowBegin(trx, engine, { atOnce, reason, now: clock.now() });
      if (gone.length > 0) await wakeOrders(trx, engine);
      if (gone.length > 0 && by !== null) await recordAct(trx, by, { act: 'engine.close_circuit', target: subject });
      return gone;
    });
    for (const one of subjects) {
      streaks.forget(one);
      trials.delete(one);
    }
    await refresh.now();
    for (const one of opened) onChange(one, of(one));
  }

  async function accept(engine: string): Promise<void> {
    const trusted = acceptedUntilTrusted(engine);
    await database.write('accepted', (trx) => countAccepted(trx, engine, trusted));
    fullUntil.delete(engine);
    await refresh.now();
  }

  function routesOf(engine: string): Shut[] {
    const rows = [...known].flatMap(([subject, valves]) =>
      modelOf(subject) !== null && engineOf(subject) === engine ? valves : [],
    );
    return shutSubjects(rows, clock.now());
  }

  function canTry(subject: string, wasRefused: boolean): boolean {
    const state = stateOf(of(subject), clock.now());
    if (state !== 'on_trial') return state === 'free';
    const trial = trials.get(subject);
    return trial !== undefined && !(wasRefused && clock.now() - trial.givenAt < KEPT_FOR_OTHERS_MS);
  }

  return {
    of,
    stateOf: (subject) => stateOf(of(subject), clock.now()),
    isPaused(kind, name) {
      if (known.size === 0) return false;
      const isOff = (one: string) => rowsOf(subjectOfSwitch(kind, one)).some((valve) => valve.kind === 'switched_off');
      return isOff(name) || (kind === 'engine' && isOff(withoutKey(name)));
    },
    routesOf,
    mayStart(route, wasRefused = false) {
      if (known.size === 0) return true;
      const subjects = [route.engine, subjectOfRoute(route)];
      if (!subjects.every((subject) => canTry(subject, wasRefused))) return false;
      for (const subject of subjects) trials.delete(subject);
      return true;
    },
    hasTrial(subject) {
      const trial = trials.get(subject);
      return trial !== undefined && clock.now() - trial.givenAt < TRIAL_MS;
    },
    giveTrial: (subject) => void trials.set(subject, { givenAt: clock.now() }),
    async failed(subject, call, taskId, error, isProven = error.proof === 'documented') {
      const found = upstreamFault(error);
      if (found === null) return false;
      const { message, retryAfterMs } = error;
      const tripped = streaks.add(subject, call, taskId, clock.now());
      // Words in one answer may come from the order itself, but hardly in the answers to several orders in a row.
      const isLikely = isProven || (found === 'billing' && tripped);
      const fault = isLasting(found) && !isLikely ? 'upstream' : found;
      return await judge({ subject, call, fault, message, retryAfterMs, isProven }, tripped).catch(
        swallow(onError, false),
      );
    },
    succeeded(subject, call, accepted = false) {
      streaks.clear(subject, call);
      const rows = rowsOf(subject);
      if (rows.length === 0) return NOTHING_TO_DO;
      const gone = rows
        .filter(isShut)
        .filter((one) => OF_SERVERS.includes(one.kind) && closesIt(one, call, clock.now()));
      const causes = gone.map(({ kind }) => kind);
      if (causes.length > 0)
        return open(subject, causes, { atOnce: accepted ? 2 : 1 }).catch(swallow(onError, undefined));
      if (accepted && beginning(subject) !== null) return accept(subject).catch(swallow(onError, undefined));
      return NOTHING_TO_DO;
    },
    async hangs(engine, message) {
      await judge({ subject: engine, call: 'start', fault: 'timeout', message, retryAfterMs: null }, true);
    },
    async away(subject, message, kind = 'outage') {
      const blame = { subject, kind, call: 'start', fault: 'upstream', message, retryAfterMs: null } as const;
      await judge(
        blame,
        true,
        OF_SERVERS.filter((cause) => cause !== kind),
      );
    },
    async back(subject, causes = OF_SERVERS) {
      if (causes.some((cause) => of(subject, cause) !== null)) await open(subject, causes);
    },
    async pause(engine, message, forMs) {
      const now = clock.now();
      const before = of(engine, 'rate');
      const until = now + forMs;
      if (before !== null && before.retry_at >= until) return;
      const since = before?.since ?? now;
      const valve = { kind: 'rate', fault: 'rate_limited', call: 'start', message, times: 0 } as const;
      await shut({ ...valve, subject: engine, since, retry_at: until });
    },
    async limitReached(engine, message, until) {
      const valve = { kind: 'spend_limit', fault: 'billing', call: 'start', message, times: 1 } as const;
      await shut({ ...valve, subject: engine, since: clock.now(), retry_at: until });
    },
    async stillDown(engine, message) {
      const down = of(engine, 'outage');
      if (down === null) return;
      const { call, fault } = down;
      await judge({ subject: engine, call, fault, message, retryAfterMs: null, isProbe: true }, false);
    },
    beginning,
    isFull: (engine) => fullUntil.size > 0 && (fullUntil.get(engine) ?? 0) > world.monotonic(),
    recordFull: (engine) => void fullUntil.set(engine, world.monotonic() + FULL_FOR_MS),
    async beginSlowly(engine, reason) {
      if (acceptedUntilTrusted(engine) === 0 || of(engine) !== null || beginning(engine) !== null) return;
      await database.write('begin_slowly', (trx) =>
        insertSlowBegin(trx, engine, { atOnce: 1, reason, now: clock.now() }),
      );
      await refresh.now();
    },
    open: (engine, by) => open(engine, EVERY_CAUSE, { by }),
    refresh: refresh.now,
    stop: refresh.stop,
  };
}

function swallow<T>(onError: (error: unknown) => void, instead: T): (error: unknown) => T {
  return (error) => {
    onError(error);
    return instead;
  };
}
