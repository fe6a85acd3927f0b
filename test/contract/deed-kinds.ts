import type { Call, TaskAnswer } from '../helpers/service.ts';

/** POSTs whose repetitions need no key, and why. */
export const WITHOUT_KEY: Readonly<Record<string, string>> = {
  '/v1/prices': 'calculates',
  '/v1/prices/compare': 'calculates',
  '/v1/batches/prices': 'calculates',
  '/v1/provenance': 'reads a file and keeps nothing of it',
  '/mcp': 'speaks a protocol of its own, whose tools pass the key on',
  '/callbacks/:engine/:token': 'is a hint, and lets an order be checked',
  '/console/session': 'trades a link that works once',
  '/console/session/bearer': 'trades a session for a token, and keeps nothing',
  '/console/session/command-line': 'trades a code that works once',
  '/console/session/end': 'ends a session, which is then over',
};
/**
 * Orders: their keys are tested in idempotency.test.ts and batches.test.ts, and those of other dialects, which also
 * cancel orders and keep files, in the tests of their additions.
 */
export const ORDERS =
  /^\/v1\/(images|videos|images\/actions|batches)$|^\/(openai\/v1|openrouter\/api\/v1|gemini|replicate\/v1)\//;

/** One deed: the request, and something that it changes by one, however often it is sent. */
export interface Case {
  /** As a request names it; default: as the route does. */
  readonly path?: string | (() => Promise<string>);
  readonly key?: string;
  readonly body?: unknown;
  /** A body of another deed, which the same key must not stand for; default: another path. */
  readonly other?: unknown;
  readonly headers?: Record<string, string>;
  readonly count: (address: string) => Promise<number>;
  /** What differs between the first answer and its repetition. */
  readonly differs?: readonly string[];
  readonly send?: Call;
}

/** The receiver takes what is delivered, too. */
export function redelivery({ type, task_id: id }: TaskAnswer, url: string): Case {
  return {
    path: `/v1/${type}s/${id}/deliveries`,
    body: { deliver_to: { url } },
    other: { deliver_to: { url: `${url}/other` } },
    count: async () => 0,
    differs: ['deliveries', 'revision'],
  };
}
