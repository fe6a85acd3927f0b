import { AbortError, ConnectionError, DarkroomError, type OrderFacts } from './errors.ts';
import type { LostAnswer } from './response.ts';

/** The facts of a call that its error carries. */
export interface KnownCall {
  /** The facts of the order that the error tells. */
  readonly facts?: OrderFacts | undefined;
  /** The call orders something: as long as its answer is lost, an error says that the order is unknown. */
  readonly orders?: boolean;
}

/** The error when all tries of a call were in vain. */
export function connectionError(
  baseUrl: string,
  call: KnownCall,
  lost: LostAnswer,
  tries: number,
  mayBeOrdered: boolean,
): ConnectionError {
  const times = tries === 1 ? 'once' : `${tries} times`;
  const again = `Send it again with idempotencyKey "${call.facts?.idempotencyKey}": it is never ordered twice.`;
  const advice =
    call.orders !== true
      ? mayBeOrdered
        ? repeatAdvice(call.facts)
        : adviceOn(call.facts)
      : mayBeOrdered
        ? ` Whether the order was accepted is unknown. ${again}`
        : ' Nothing was ordered. Does the service run, and is baseUrl its address?';
  const message = `${baseUrl} was called ${times}, without an answer: ${lost.message}.${advice}`;
  const facts = { ...(mayBeOrdered ? unknownOrder(call) : call.facts), status: lost.status };
  return new ConnectionError('connection_error', message, facts, lost.cause ?? lost);
}

/** The error when the caller's signal ends a call. */
export function abortError(signal: AbortSignal | undefined, facts: OrderFacts | undefined): DarkroomError {
  if (signal?.reason instanceof DarkroomError) return signal.reason;
  const advice =
    facts?.ordered === 'unknown'
      ? ` Whether the order was accepted is unknown. The same call with idempotencyKey "${facts.idempotencyKey}" finds what was ordered, or orders once.`
      : adviceOn(facts);
  return new AbortError('aborted', `The call was aborted.${advice}`, facts, signal?.reason);
}

/** After a lost answer. */
function repeatAdvice(facts: OrderFacts | undefined): string {
  const advice = adviceOn(facts);
  if (advice !== '' || facts?.idempotencyKey == null) return advice;
  return ` Whether it was carried out is unknown. Send it again with idempotencyKey "${facts.idempotencyKey}": it is never done twice.`;
}

function adviceOn(facts: OrderFacts | undefined): string {
  const taskId = facts?.taskId ?? facts?.task?.task_id ?? null;
  const batchId = facts?.batchId ?? facts?.batch?.batch_id ?? null;
  if (taskId === null && batchId === null) return '';
  const what = taskId === null ? `batch ${batchId}` : `task ${taskId}`;
  return ` The ${what} is not lost: wait for it, or cancel it.`;
}

/** Returns the known facts of the order of a call that may have been accepted. */
export function unknownOrder(call: KnownCall): OrderFacts | undefined {
  return call.orders === true ? { ...call.facts, ordered: 'unknown' } : call.facts;
}

/**
 * Returns the facts of an order after a refusal. An earlier attempt whose answer was lost may have been accepted
 * nevertheless.
 */
export function factsAfter(
  call: KnownCall,
  mayBeOrdered: boolean,
  status: number,
  code: string,
): OrderFacts | undefined {
  if (call.orders !== true) return call.facts;
  const saysNothing =
    status >= 500 ? mayBeOrdered || !NOT_ORDERED.includes(code) : mayBeOrdered && EARLY.includes(status);
  return saysNothing ? unknownOrder(call) : call.facts;
}

/** Failures of the service after which nothing was ordered. */
const NOT_ORDERED = ['model_unavailable', 'storage_full', 'shutting_down'];
/** Refusals that come before the Idempotency-Key is looked up. */
const EARLY = [401, 403, 408, 413, 429, 431];
