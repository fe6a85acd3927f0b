import { isoTime, type StandingView } from '@darkroom-service/contract';
import { isClosed, type Kernel, type TaskRow } from '@darkroom-service/darkroom/kernel';

/** Facts that explain why an order makes no progress. */
export interface StandingFacts {
  /** Time by the service's clock, as all times here; milliseconds since 1970. */
  readonly now: number;
  readonly task: Pick<
    TaskRow,
    'step' | 'claimable' | 'gates' | 'worker' | 'started_at' | 'next_at' | 'cancel_requested_at'
  >;
  readonly engine: string;
  /** Whether a process of the service has the engine. */
  readonly isConfigured: boolean;
  readonly isPaused: boolean;
  /** Reason why the whole service sends nothing; null = it sends. */
  readonly suspension: { readonly since: number; readonly reason: string } | null;
  /** Position in the queue: 1 = next; null = behind more than a hundred. */
  readonly position: number | null;
  readonly parents: readonly string[];
  /** The addition at whose gate it waits; null = it waits at none. */
  readonly addition: ReturnType<Kernel['gates']['waitsFor']>;
  /** Reason why its engine, or the upstream's model, gets no orders. */
  readonly shut: Trouble | null;
  readonly storage: Trouble | null;
  /** The process that has the lease, if it is silent. */
  readonly silent: { readonly process: string; readonly since: number } | null;
  readonly check: {
    readonly at: number;
    readonly outcome: 'pending' | 'failed' | 'storage' | 'result';
    readonly said: string | null;
  } | null;
}

interface Trouble {
  readonly since: number;
  readonly reason: string;
}

type Found = Pick<StandingView, 'cause' | 'sentence'> & {
  readonly since?: number;
  readonly facts?: Partial<Pick<StandingView, 'ahead' | 'waits_for' | 'asked_at' | 'said'>>;
};

/** Explains why an order that is not final makes no progress: one cause, and one sentence for operators. */
export function standingOf(facts: StandingFacts): StandingView {
  const { cause, sentence, since, facts: found = {} } = causeOf(facts);
  return {
    cause,
    sentence,
    since: since === undefined ? null : isoTime(since),
    ahead: null,
    waits_for: [],
    asked_at: null,
    said: null,
    ...found,
  };
}

function causeOf(facts: StandingFacts): Found {
  const { task, parents } = facts;
  if (isClosed(task, 'parent') && parents.length > 0) {
    const rest = parents.length > 1 ? ` and ${parents.length - 1} more` : '';
    return { cause: 'parent', sentence: `Waits for ${parents[0]}${rest}.`, facts: { waits_for: [...parents] } };
  }
  if (isClosed(task, 'batch')) return { cause: 'batch', sentence: 'Waits until its batch lets it into the queue.' };
  return task.step === 'submitting' || task.step === 'running' ? atUpstream(facts) : beforeUpstream(facts);
}

/** Returns the cause for an order that no upstream has. */
function beforeUpstream({ now, task, engine, suspension, shut, ...facts }: StandingFacts): Found {
  if (suspension !== null)
    return {
      cause: 'held',
      since: suspension.since,
      sentence: `The service sends nothing since ${isoTime(suspension.since)}. ${suspension.reason}`,
    };
  if (isClosed(task, 'reference')) return { cause: 'references', sentence: 'Waits until its input files are fetched.' };
  if (facts.addition === 'missing')
    return {
      cause: 'addition',
      sentence: 'Waits for an addition that is not installed. Bring it back, or cancel the order.',
    };
  if (facts.addition !== null)
    return { cause: 'addition', sentence: `Waits until the addition '${facts.addition.name}' lets it pass.` };
  if (!facts.isConfigured) return { cause: 'not_configured', sentence: `${engine} is not configured any more.` };
  if (facts.isPaused) return { cause: 'paused', sentence: `An operator has paused ${engine}.` };
  if (shut !== null) {
    const sentence = `${engine} gets no orders since ${isoTime(shut.since)}: ${withPoint(shut.reason)}`;
    return { cause: 'circuit_open', sentence, since: shut.since };
  }
  if (task.step === 'deferred' && task.worker === null && task.next_at !== null)
    return {
      cause: 'deferred',
      sentence: `${engine} did not accept it. It is sent again ${task.next_at <= now ? 'now' : `in ${span(task.next_at - now)}`}.`,
    };
  if (task.step !== 'waiting') return { cause: 'preparing', sentence: `Is made ready for ${engine}.` };
  if (task.claimable === 0)
    return { cause: 'key_limit', sentence: 'Its key has as many orders in progress as it may.' };
  const ahead = facts.position === null ? null : facts.position - 1;
  const place = ahead === null ? 'behind more than a hundred orders' : `behind ${count(ahead)}`;
  const sentence = ahead === 0 ? `Is next at ${engine}.` : `Waits for its turn at ${engine} ${place}.`;
  return { cause: 'turn', sentence, facts: { ahead } };
}

/** Returns the cause for an order that an upstream has, or may have. */
function atUpstream({ now, task, engine, shut, storage, silent, check }: StandingFacts): Found {
  const asked = check === null || check.outcome === 'storage' ? {} : { asked_at: isoTime(check.at), said: check.said };
  const blocked = shut === null ? '' : ` ${engine} gets no new orders since ${isoTime(shut.since)}.`;
  if (silent !== null) {
    const sentence = `Its process ${silent.process} is silent since ${isoTime(silent.since)}. Another one takes the order over.`;
    return { cause: 'process_silent', sentence, since: silent.since, facts: asked };
  }
  if (check?.outcome === 'storage') {
    const since = storage?.since ?? check.at;
    const sentence = `Its result cannot be stored since ${isoTime(since)}: ${withPoint(storage?.reason ?? check.said ?? 'unknown')}`;
    return { cause: 'storage', sentence, since };
  }
  const ago = check === null ? '' : `${span(now - check.at)} ago`;
  if (check?.outcome === 'failed')
    return {
      cause: 'check_failed',
      since: check.at,
      facts: asked,
      sentence: `${engine} was asked ${ago} and did not tell: ${withPoint(check.said ?? 'unknown')}${blocked}`,
    };
  if (check?.outcome === 'result')
    return {
      cause: 'check_failed',
      since: check.at,
      facts: asked,
      sentence: `${engine} has made it. Its result could not be fetched ${ago} and is asked for again: ${withPoint(check.said ?? 'unknown')}`,
    };
  const heard = check === null ? '' : `${engine} was asked ${ago} and said ${check.said ?? 'that it is not ready'}.`;
  if (task.cancel_requested_at !== null) {
    const sentence = `Was to be canceled at ${isoTime(task.cancel_requested_at)}; ${engine} has not confirmed it. ${heard}`;
    return { cause: 'canceling', sentence: sentence.trim(), since: task.cancel_requested_at, facts: asked };
  }
  const since = task.started_at ?? now;
  if (task.step === 'submitting') {
    const sentence =
      task.worker === null
        ? `It is not known whether ${engine} accepted it. ${engine} is asked again soon.${blocked}`
        : `Was sent to ${engine} ${span(now - since)} ago; there is no answer yet.${blocked}`;
    return { cause: 'submitting', sentence, since };
  }
  if (heard !== '') return { cause: 'upstream', sentence: `${heard}${blocked}`, since, facts: asked };
  return { cause: 'upstream', sentence: `${engine} has it since ${span(now - since)}.${blocked}`, since };
}

function count(orders: number): string {
  return orders === 1 ? 'one order' : `${orders} orders`;
}

/** Formats a time span in whole seconds, minutes or hours. */
function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

function withPoint(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
