import {
  type CircuitState,
  type CircuitView,
  isoTime,
  type RouteCircuitView,
  UPSTREAM_FAULTS,
  type UpstreamFault,
} from '@darkroom-service/contract';
import type { EngineError, EngineErrorClass } from '@darkroom-service/engines';

export type EngineCall = 'start' | 'check';

/**
 * Reason why a subject gets no orders: its upstream fails (`outage`), an own server works and has not loaded the model,
 * the operator's spend limit is reached, the upstream asked for a pause, or the operator's limit of submissions a
 * minute is used up (`rate`).
 */
export type Cause = 'outage' | 'not_loaded' | 'spend_limit' | 'pause' | 'rate';

/** Causes that an own server reports: whether it answers, and whether it makes a model. */
export const OF_SERVERS: readonly Cause[] = ['outage', 'not_loaded'];
export const EVERY_CAUSE: readonly Cause[] = [...OF_SERVERS, 'spend_limit', 'pause', 'rate'];

/** A valve that is shut, as stored. Times in ms by the service's clock. */
export interface Shut {
  /** The engine (`fal`), or the engine and one upstream model of it (`fal/veo3.1`). */
  readonly subject: string;
  readonly kind: Cause;
  readonly fault: UpstreamFault;
  readonly call: EngineCall;
  /** The upstream's own words, without its secrets. */
  readonly message: string;
  /**
   * Number of times it was shut in a row without a successful order; 0 = only a pause, after which no test is needed.
   */
  readonly times: number;
  readonly since: number;
  readonly retry_at: number;
}

/** The orders that a valve lets through: all, none, or one that tests the upstream. */
export type ValveState = 'free' | 'shut' | 'on_trial';

/** A failed call that counts against the upstream. */
export interface Blame {
  readonly subject: string;
  readonly call: EngineCall;
  readonly fault: UpstreamFault;
  /** Cause of the fault. Default: `outage`. */
  readonly kind?: 'outage' | 'not_loaded';
  readonly message: string;
  readonly retryAfterMs: number | null;
  /** Whether one such fault shows that waiting does not help: a documented code, or a probe that refused the key. */
  readonly isProven?: boolean;
  /**
   * Whether only a probe failed. Probes are free, so the next one follows soon, and orders follow soon after the
   * upstream is back.
   */
  readonly isProbe?: boolean;
}

const PASSING_PAUSE = { firstMs: 15_000, longestMs: 5 * 60_000 };
/** Pauses for faults that the operator must fix. */
const LASTING_PAUSE = { firstMs: 5 * 60_000, longestMs: 60 * 60_000 };
/** Causes by gravity, the most urgent for the operator first. */
const BY_GRAVITY: readonly Cause[] = ['spend_limit', 'outage', 'not_loaded', 'rate', 'pause'];
/** States in the words of the admin API and the metrics: those of a circuit breaker. */
export const AS_CIRCUIT: Readonly<Record<ValveState, CircuitState>> = {
  free: 'closed',
  shut: 'open',
  on_trial: 'half_open',
};
/** Time within which a route must be available again for an order to stay with it. */
const SOON_MS = 30_000;

/** Returns the subject of an upstream model's valves, shut if the upstream works but does not make that model. */
export function subjectOfRoute({ engine, model }: { readonly engine: string; readonly model: string | null }): string {
  return `${engine}/${model ?? ''}`;
}

/** Returns the upstream model of a subject; null if it is a whole engine. */
export function modelOf(subject: string): string | null {
  const cut = subject.indexOf('/');
  return cut === -1 ? null : subject.slice(cut + 1);
}

/** Returns the engine of a subject. */
export function engineOf(subject: string): string {
  const cut = subject.indexOf('/');
  return cut === -1 ? subject : subject.slice(0, cut);
}

/** Converts an error to a fault; null if it says nothing about the upstream, such as a refusal of the order itself. */
export function upstreamFault(error: Pick<EngineError, 'class'>): UpstreamFault | null {
  return UPSTREAM_FAULTS.find((fault) => fault === error.class) ?? null;
}

/** Tells whether a fault is an authentication or billing error: waiting does not fix it. */
export function isLasting(fault: EngineErrorClass): boolean {
  return fault === 'auth' || fault === 'billing';
}

/** Returns the reason of a valve that a spend limit of the operator has shut. */
export function spendLimitReason(period: 'day' | 'month'): string {
  return `the operator's spend limit of this upstream is reached for this ${period}`;
}

/** Returns the reason of a model's valve at an own server that answers and makes other models. */
export function notMadeReason(engine: string, model: string, made: readonly string[]): string {
  return `${engine} makes ${made.join(', ') || 'nothing'} and no ${model}`;
}

/** Tells whether the valve stays shut until the operator does something. A quota of a model begins anew by itself. */
export function lasts({ subject, fault }: Pick<Shut, 'subject' | 'fault'>): boolean {
  return isLasting(fault) || (modelOf(subject) !== null && fault !== 'rate_limited');
}

/** Tells whether models that only this upstream makes are not live. A pause is normal operation. */
export function isOutage({ kind }: Pick<Shut, 'kind'>): boolean {
  return kind !== 'pause' && kind !== 'rate';
}

/** Tells whether the valve still applies: a pause ends with its time, and no order must test the upstream then. */
export function isInForce(shut: Shut, now: number): boolean {
  return isOutage(shut) || now < shut.retry_at;
}

/**
 * Returns the obstacle to orders of a subject: of several valves the gravest, until the last of them may be tried; null
 * if none applies.
 */
export function gravest(shut: readonly Shut[], now: number): Shut | null {
  const [first, ...others] = shut.filter((one) => isInForce(one, now)).sort((a, b) => gravityOf(a) - gravityOf(b));
  if (first === undefined || others.length === 0) return first ?? null;
  return { ...first, retry_at: Math.max(first.retry_at, ...others.map((one) => one.retry_at)) };
}

function gravityOf(shut: Shut): number {
  return shut.kind === 'outage' && lasts(shut) ? -1 : BY_GRAVITY.indexOf(shut.kind);
}

export function stateOf(shut: Shut | null, now: number): ValveState {
  if (shut === null) return 'free';
  return now >= shut.retry_at ? 'on_trial' : 'shut';
}

export function viewCircuit(shut: Shut | null, now: number): CircuitView {
  return {
    state: AS_CIRCUIT[stateOf(shut, now)],
    since: shut === null ? null : isoTime(shut.since),
    fault: shut?.fault ?? null,
    reason: shut?.message ?? null,
    retry_at: shut === null ? null : isoTime(shut.retry_at),
  };
}

/** Returns the shut circuit of an upstream model as the admin API shows it. */
export function viewRouteCircuit(shut: Shut): RouteCircuitView {
  return {
    model: modelOf(shut.subject) ?? '',
    fault: shut.fault,
    reason: shut.message,
    since: isoTime(shut.since),
    retry_at: isoTime(shut.retry_at),
  };
}

/** Returns the operator's remedy; null if the fault clears by itself. */
export function whatHelps({ subject, kind, fault }: Pick<Shut, 'subject' | 'kind' | 'fault'>): string | null {
  if (kind === 'not_loaded' || kind === 'pause') return null;
  if (modelOf(subject) !== null && fault !== 'billing')
    return 'give the account access to the model or remove its route from the catalog, then close the circuit';
  if (kind === 'spend_limit') return 'raise its spend limit in the file of DARKROOM_ENGINES_FILE and restart';
  if (fault === 'auth') return 'set a valid key and restart';
  return fault === 'billing' ? 'add credit at the upstream, then close the circuit' : null;
}

/** Describes in one sentence for operators why there are no orders. */
export function describeShut(shut: Shut, now: number): string {
  if (shut.kind === 'pause')
    return `has received no orders since ${isoTime(shut.since)} (${shut.message}); they follow at ${isoTime(shut.retry_at)}`;
  const next =
    now >= shut.retry_at
      ? 'the next order is sent to test it'
      : `one order is sent to test it at ${isoTime(shut.retry_at)}`;
  const { kind, fault, message } = shut;
  if (kind === 'not_loaded')
    return `is not ordered since ${isoTime(shut.since)}: ${message}; orders follow as soon as it makes it`;
  const help = whatHelps(shut);
  const advice = help === null ? next : `${help}; otherwise ${next}`;
  return `has received no orders since ${isoTime(shut.since)} (${fault}: ${message}); ${advice}`;
}

/** Tells whether orders should use another route, because it will not open soon. */
export function isLong(shut: Shut): boolean {
  return lasts(shut) || shut.retry_at - shut.since >= SOON_MS;
}

/**
 * Returns the valve that a fault shuts; null if it changes none.
 * @param shut the shut valve of the same cause, or else a pause; null = neither
 * @param tripped whether there were enough faults in a row to shut it
 */
export function afterFault(shut: Shut | null, blame: Blame, tripped: boolean, now: number): Shut | null {
  const { kind = 'outage', fault, retryAfterMs, call } = blame;
  const isShut = stateOf(shut, now) === 'shut';
  const shutFor = (times: number, pauseMs: number): Shut => ({
    subject: blame.subject,
    kind: times === 0 ? 'pause' : kind,
    fault,
    call,
    message: blame.message,
    times,
    since: shut === null || !isOutage(shut) ? now : shut.since,
    retry_at: now + pauseMs,
  });
  if (lasts(blame) && (blame.isProven === true || tripped || (shut !== null && lasts(shut)))) {
    if (isShut && shut !== null && lasts(shut)) return null;
    const isAgain = shut !== null && lasts(shut);
    // A failed probe costs nothing.
    const times = isAgain ? shut.times + (blame.isProbe === true ? 0 : 1) : 1;
    return shutFor(times, pauseOf(LASTING_PAUSE, times));
  }
  if (fault === 'rate_limited' && retryAfterMs !== null && retryAfterMs > 0) {
    if (shut === null) return shutFor(0, retryAfterMs);
    if (!isOutage(shut)) {
      return now + retryAfterMs > shut.retry_at ? { ...shut, retry_at: now + retryAfterMs } : null;
    }
  }
  if (shut === null || !isOutage(shut)) {
    return tripped ? shutFor(1, Math.max(PASSING_PAUSE.firstMs, (shut?.retry_at ?? now) - now)) : null;
  }
  // Failed checks of running orders say nothing about new orders.
  if (isShut || (call === 'check' && shut.call === 'start')) return null;
  if (blame.isProbe === true) return shutFor(shut.times, PASSING_PAUSE.firstMs);
  const times = lasts(shut) ? 1 : shut.times + 1;
  return shutFor(times, Math.max(pauseOf(PASSING_PAUSE, times), retryAfterMs ?? 0));
}

/** Tells whether a successful call opens the valve. An older call may have succeeded before the key became invalid. */
export function closesIt(shut: Shut, call: EngineCall, now: number): boolean {
  if (!isOutage(shut)) return false;
  if (call === 'check' && (shut.call === 'start' || lasts(shut))) return false;
  return !lasts(shut) || stateOf(shut, now) === 'on_trial';
}

function pauseOf({ firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number }, times: number) {
  return Math.min(longestMs, firstMs * 2 ** Math.min(20, times - 1));
}
