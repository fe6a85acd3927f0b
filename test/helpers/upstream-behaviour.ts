import type { Checked, Delivery, Idempotency } from '@darkroom-service/engines';
import { DELIVERED } from '../../src/record/task-json.ts';
import type { TaskRecord } from '../../src/record/task-record.ts';
import type { Fault, TaskEvent } from '../../src/worker/decide/event.ts';
import { HOSTED } from './any-situation.ts';

/** What an upstream does with the calls for one order, and what happens to the worker meanwhile. */

export type Mishap = 'killed' | 'write fails' | 'taken over';
export type Start = 'operation' | 'result' | Pick<Fault, 'class' | 'took' | 'scope' | 'elsewhere'>;
export type Check = 'pending' | 'succeeded' | 'failed' | 'canceled' | 'gone' | 'refused' | 'lost';

export interface Behaviour {
  readonly isRepeatable: boolean;
  /** It costs nothing, and may lose what it has accepted. */
  readonly isFree: boolean;
  readonly idempotency: Idempotency;
  /** It judges a repeated submission anew, against what its `idempotency` promises. */
  readonly refusesWhatItHas: boolean;
  readonly starts: readonly Start[];
  readonly checks: readonly Check[];
  readonly isResultRefused: boolean;
  /** How often the file of the result cannot be read, before it can. */
  readonly unreadable: number;
  /** After so many places to break off, something happens; and so on. */
  readonly mishaps: readonly { readonly after: number; readonly mishap: Mishap }[];
}

/** Tells whether the upstream refuses the order itself. */
export function isVerdict(start: Start): boolean {
  return typeof start !== 'string' && start.took === 'no' && VERDICTS.includes(start.class);
}

const VERDICTS: readonly string[] = ['invalid_input', 'content_policy'];

export const DELIVERY: Delivery = { outputs: [] };

/** Returns the event that the worker reads from an answer to `check`. */
export function afterCheck(answer: Check): TaskEvent {
  if (answer === 'gone') return { type: 'file_gone' };
  if (answer === 'refused') {
    const fault = { class: 'content_policy', took: 'yes', message: 'no', retryAfterMs: null } as const;
    return { type: 'check_failed', fault: { ...fault, scope: 'engine', elsewhere: false } };
  }
  const checked: Record<typeof answer, Checked> = {
    pending: { status: 'pending' },
    succeeded: { status: 'succeeded', delivery: DELIVERY },
    failed: { status: 'failed', error: { code: 'upstream_error', message: 'no' } },
    canceled: { status: 'canceled' },
    lost: { status: 'lost', message: 'alpha no longer knows the order' },
  };
  return { type: 'checked', checked: checked[answer] };
}

/** Returns the event that the worker reads from a result whose file is a page. */
export function unreadable(): TaskEvent {
  const message = 'a page';
  return { type: 'collect_failed', delivery: HOSTED, message, error: new Error(message), mayPass: true, address: null };
}

/** Tells whether the row says where the result is. */
export function isStored({ operation_json: text }: Pick<TaskRecord, 'operation_json'>): boolean {
  return text?.startsWith(DELIVERED) === true;
}
