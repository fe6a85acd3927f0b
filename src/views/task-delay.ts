import { type Delay, type DelayCode, isoTime, type TaskDelayView } from '@darkroom-service/contract';
import { isKeyed } from '../record/owned-instance.ts';
import type { TaskServices } from '../tasks/task-services.ts';

type Words = Pick<TaskDelayView, 'message' | 'ends_when'>;

/** Words for customers. They name no instance, no limit and no words of the upstream, which only operators see. */
const WORDS: Readonly<Record<DelayCode, Words>> = {
  parent: { message: 'It waits for another order.', ends_when: 'that order has succeeded' },
  batch: { message: 'Its batch sends some orders at a time.', ends_when: 'earlier orders of the batch have ended' },
  held: { message: 'The operator sends no orders for now.', ends_when: 'the operator sends orders again' },
  inputs: { message: 'Its input files are being fetched.', ends_when: 'they are stored' },
  step: { message: 'A further step of the service comes first.', ends_when: 'that step is done' },
  model_paused: { message: 'The operator has paused this model.', ends_when: 'the operator resumes the model' },
  upstream_paused: { message: 'The operator has paused the upstream.', ends_when: 'the operator resumes the upstream' },
  upstream_refuses: {
    message: 'The upstream does not accept the access of the service.',
    ends_when: 'the operator has restored the access',
  },
  upstream_away: { message: 'The upstream fails.', ends_when: 'the upstream works again' },
  upstream_not_ready: { message: 'The upstream has not loaded the model.', ends_when: 'the upstream has loaded it' },
  upstream_pause: { message: 'The upstream takes no orders for a moment.', ends_when: 'the pause has ended' },
  upstream_limit: {
    message: "The service's limit for this upstream is reached.",
    ends_when: 'the period of the limit has ended, or the operator raises it',
  },
  upstream_declined: {
    message: 'The upstream has not accepted the order yet.',
    ends_when: 'the upstream accepts it',
  },
  storage: { message: 'The service cannot store results now.', ends_when: 'its storage works again' },
  no_process: { message: 'No process of the service works on orders.', ends_when: 'such a process has started' },
  key_limit: {
    message: 'Its key has as many orders in progress as it may.',
    ends_when: 'one of those orders has ended',
  },
  turn: { message: 'Orders before it use the upstream.', ends_when: 'it is the turn of this order' },
};

const OWN_KEY: Words = {
  message: "The upstream does not accept your account's key.",
  ends_when: 'the key is replaced, or its account at the upstream is in order',
};

/** The values of `delayed_by`. Delays that are normal operation have none. */
const BY_PARTY: Partial<Readonly<Record<DelayCode, Delay>>> = {
  held: 'operator',
  model_paused: 'operator',
  upstream_paused: 'operator',
  upstream_refuses: 'upstream',
  upstream_away: 'upstream',
  upstream_not_ready: 'upstream',
  upstream_limit: 'upstream',
  storage: 'storage',
};

/** A reason why an order waits. Times in ms since 1970. */
export interface FoundDelay {
  readonly code: DelayCode;
  /** Time since which it applies; absent or null = unknown. */
  readonly since?: number | null;
  /** Time of the next try; absent or null = none is set. */
  readonly retryAt?: number | null;
}

/**
 * Returns the fields of a task that tell why it waits; empty if it does not.
 * @param engine the engine of its route
 */
export function viewDelay(
  { routing }: Pick<TaskServices, 'routing'>,
  found: FoundDelay | null,
  engine: string,
): { readonly delayed_by?: Delay; readonly delay?: TaskDelayView } {
  if (found === null) return {};
  const { code, since = null, retryAt = null } = found;
  const party = BY_PARTY[code];
  const isAtUpstream = code.startsWith('upstream_') || code === 'turn';
  return {
    ...(party === undefined ? {} : { delayed_by: party }),
    delay: {
      code,
      ...(code === 'upstream_refuses' && isKeyed(engine) ? OWN_KEY : WORDS[code]),
      upstream: isAtUpstream ? routing.kindOf(engine) : null,
      since: isoTime(since),
      retry_at: isoTime(retryAt),
    },
  };
}
