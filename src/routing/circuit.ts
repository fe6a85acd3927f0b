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
 * Why a circuit is open: the upstream fails (`outage`), it or the operator's rate limit asked for a pause, the
 * operator's spend limit is reached, or an own server works and has not loaded the model.
 */
type CircuitKind = 'outage' | 'pause' | 'spend_limit' | 'not_loaded';

/** An open circuit as stored; a closed one has no row. Times in ms by the service's clock. */
export interface Opened {
  /** The engine (`fal`), or the engine and one upstream model of it (`fal/veo3.1`). */
  readonly engine: string;
  readonly kind: CircuitKind;
  readonly fault: UpstreamFault;
  readonly call: EngineCall;
  /** The upstream's own words, without its secrets. */
  readonly message: string;
  /** How often it was opened in a row without a successful order; 0 = the upstream only asked for a pause. */
  readonly openings: number;
  readonly opened_at: number;
  readonly retry_at: number;
}

/** A row of `circuits`: an open circuit, or a closed one whose orders begin slowly. */
export type StoredCircuit = Opened | (Omit<Opened, 'kind'> & { readonly kind: 'slow_begin' });

export function isOpened<Row extends StoredCircuit>(stored: Row): stored is Row & Opened {
  return stored.kind !== 'slow_begin';
}

/** A failed call that counts against the upstream. */
export interface Blame {
  /** The name of the circuit. */
  readonly engine: string;
  readonly call: EngineCall;
  readonly fault: UpstreamFault;
  /** Default: `outage`. */
  readonly kind?: 'outage' | 'not_loaded';
  readonly message: string;
  readonly retryAfterMs: number | null;
  /** Whether one such fault shows that waiting does not help: a documented code, or a probe that refused the key. */
  readonly isProven?: boolean;
  /**
   * Whether only a probe failed. It is free, so the next one follows soon, and the circuit closes soon after the
   * upstream is back.
   */
  readonly isProbe?: boolean;
}

const PASSING_PAUSE = { firstMs: 15_000, longestMs: 5 * 60_000 };
/** For faults that the operator must fix. */
const LASTING_PAUSE = { firstMs: 5 * 60_000, longestMs: 60 * 60_000 };
/** An order stays with a route that is available again within this time. */
const SOON_MS = 30_000;

/** Returns the name of an upstream model's circuit. It opens if the upstream works but does not make that model. */
export function routeCircuit({ engine, model }: { readonly engine: string; readonly model: string | null }): string {
  return `${engine}/${model ?? ''}`;
}

/** Returns the upstream model of a circuit; null if the circuit is for a whole engine. */
export function modelOfCircuit(name: string): string | null {
  const cut = name.indexOf('/');
  return cut === -1 ? null : name.slice(cut + 1);
}

/** Returns the engine of a circuit. */
export function engineOfCircuit(name: string): string {
  const cut = name.indexOf('/');
  return cut === -1 ? name : name.slice(0, cut);
}

/** Converts an error to a fault; null if it says nothing about the upstream, such as a refusal of the order itself. */
export function upstreamFault(error: Pick<EngineError, 'class'>): UpstreamFault | null {
  return UPSTREAM_FAULTS.find((fault) => fault === error.class) ?? null;
}

/** Tells whether a fault is an authentication or billing error: waiting does not fix it. */
export function isLasting(fault: EngineErrorClass): boolean {
  return fault === 'auth' || fault === 'billing';
}

/** Returns the reason of a circuit that a spend limit of the operator has opened. */
export function spendLimitReason(period: 'day' | 'month'): string {
  return `the operator's spend limit of this upstream is reached for this ${period}`;
}

/** Returns the reason of a model's circuit at an own server that answers and makes other models. */
export function notMadeReason(engine: string, model: string, made: readonly string[]): string {
  return `${engine} makes ${made.join(', ') || 'nothing'} and no ${model}`;
}

/** Tells whether the circuit stays open until the operator does something. */
export function lasts({ engine, fault }: Pick<Opened, 'engine' | 'fault'>): boolean {
  return isLasting(fault) || modelOfCircuit(engine) !== null;
}

/** Tells whether the circuit is only a pause: the upstream works, so no test order is needed afterwards. */
function isPause({ kind }: Pick<Opened, 'kind'>): boolean {
  return kind === 'pause';
}

/** Returns the circuit if it still applies: a pause ends with its time, and orders that begin slowly are submitted. */
export function standing(opened: StoredCircuit | undefined, now: number): Opened | null {
  if (opened === undefined || !isOpened(opened)) return null;
  if (isPause(opened) && now >= opened.retry_at) return null;
  return opened;
}

export function stateOf(opened: Opened | null, now: number): CircuitState {
  if (opened === null) return 'closed';
  return now >= opened.retry_at ? 'half_open' : 'open';
}

export function viewCircuit(opened: Opened | null, now: number): CircuitView {
  return {
    state: stateOf(opened, now),
    since: opened === null ? null : isoTime(opened.opened_at),
    fault: opened?.fault ?? null,
    reason: opened?.message ?? null,
    retry_at: opened === null ? null : isoTime(opened.retry_at),
  };
}

/** Returns the open circuit of an upstream model as the admin API shows it. */
export function viewRouteCircuit(opened: Opened): RouteCircuitView {
  return {
    model: modelOfCircuit(opened.engine) ?? '',
    fault: opened.fault,
    reason: opened.message,
    since: isoTime(opened.opened_at),
    retry_at: isoTime(opened.retry_at),
  };
}

/** Returns what the operator must do; null if the fault clears by itself. */
export function whatHelps({ engine, kind, fault }: Pick<Opened, 'engine' | 'kind' | 'fault'>): string | null {
  if (kind === 'not_loaded') return null;
  if (modelOfCircuit(engine) !== null)
    return 'give the account access to the model or remove its route from the catalog, then close the circuit';
  if (kind === 'spend_limit') return 'raise its spend limit in the file of DARKROOM_ENGINES_FILE and restart';
  if (fault === 'auth') return 'set a valid key and restart';
  return fault === 'billing' ? 'add credit at the upstream, then close the circuit' : null;
}

/** Describes the circuit in one sentence for operators. */
export function describeCircuit(opened: Opened, now: number): string {
  const next =
    now >= opened.retry_at
      ? 'the next order is sent to test it'
      : `one order is sent to test it at ${isoTime(opened.retry_at)}`;
  const { kind, fault, message } = opened;
  if (kind === 'not_loaded')
    return `is not ordered since ${isoTime(opened.opened_at)}: ${message}; orders follow as soon as it makes it`;
  const help = whatHelps(opened);
  const advice = help === null ? next : `${help}; otherwise ${next}`;
  return `has received no orders since ${isoTime(opened.opened_at)} (${fault}: ${message}); ${advice}`;
}

/** Tells whether orders should use another route, because the circuit will not close soon. */
export function isLong(opened: Opened): boolean {
  return lasts(opened) || opened.retry_at - opened.opened_at >= SOON_MS;
}

/** Tells whether models that only this upstream makes are not live. A pause is normal operation. */
export function isOutage(opened: Opened): boolean {
  return !isPause(opened);
}

/**
 * Returns the circuit after a fault; null if it does not change.
 * @param opened the current circuit; null = closed
 * @param tripped whether there were enough faults in a row to open it
 */
export function afterFault(opened: Opened | null, blame: Blame, tripped: boolean, now: number): Opened | null {
  const { kind = 'outage', fault, retryAfterMs, call } = blame;
  const isOpen = stateOf(opened, now) === 'open';
  const open = (openings: number, pauseMs: number): Opened => ({
    engine: blame.engine,
    kind: openings === 0 ? 'pause' : kind,
    fault,
    call,
    message: blame.message,
    openings,
    opened_at: opened === null || isPause(opened) ? now : opened.opened_at,
    retry_at: now + pauseMs,
  });
  if (lasts(blame) && (blame.isProven === true || tripped || (opened !== null && lasts(opened)))) {
    if (isOpen && opened !== null && lasts(opened)) return null;
    const openings = opened !== null && lasts(opened) ? opened.openings + 1 : 1;
    return open(openings, pauseOf(LASTING_PAUSE, openings));
  }
  if (fault === 'rate_limited' && retryAfterMs !== null && retryAfterMs > 0) {
    if (opened === null) return open(0, retryAfterMs);
    if (isPause(opened)) {
      return now + retryAfterMs > opened.retry_at ? { ...opened, retry_at: now + retryAfterMs } : null;
    }
  }
  if (opened === null || isPause(opened)) {
    return tripped ? open(1, Math.max(PASSING_PAUSE.firstMs, (opened?.retry_at ?? now) - now)) : null;
  }
  // Failed checks of running orders say nothing about new orders.
  if (isOpen || (call === 'check' && opened.call === 'start')) return null;
  if (blame.isProbe === true) return open(opened.openings, PASSING_PAUSE.firstMs);
  const openings = lasts(opened) ? 1 : opened.openings + 1;
  return open(openings, Math.max(pauseOf(PASSING_PAUSE, openings), retryAfterMs ?? 0));
}

/**
 * Tells whether a successful call closes the circuit. An older call may have succeeded before the key became invalid.
 */
export function closesIt(opened: Opened, call: EngineCall, now: number): boolean {
  if (isPause(opened)) return false;
  if (call === 'check' && (opened.call === 'start' || lasts(opened))) return false;
  return !lasts(opened) || stateOf(opened, now) === 'half_open';
}

function pauseOf({ firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number }, openings: number) {
  return Math.min(longestMs, firstMs * 2 ** Math.min(20, openings - 1));
}
