import assert from 'node:assert/strict';
import { ServiceError } from '@darkroom-service/contract';
import { StorageError } from '@darkroom-service/media';
import type { OrderingKey } from '../../src/accounts/api-key.ts';
import type { SimulatedProcess } from './process.ts';
import type { Seeded } from './seeded.ts';

type Services = SimulatedProcess['services'];
type Run<T> = (services: Services, keyring: SimulatedProcess['keyring']) => Promise<T>;

/** Runs something in a process. Null: no answer came. */
export type Call = <T>(run: Run<T>) => Promise<{ readonly value: T } | { readonly error: unknown } | null>;

/** How customers and operators ask the service. */
export interface Asking {
  /** Asks once. @returns a refusal, or null if no answer came or another one may come later */
  once<T>(run: Run<T>): Promise<T | ServiceError | null>;
  /** Repeats a request until it is answered, as clients do that lose an answer. */
  insist<T>(run: Run<T>): Promise<T | ServiceError>;
  /** A request with the key of the customers. */
  asKey<T>(run: (services: Services, key: OrderingKey) => Promise<T>): Run<T>;
  /** Lets whoever asks or pauses now give up. */
  readonly dropAll: () => void;
  /** From now on the key is revoked; `isKnown` tells since when it must be refused. */
  readonly revocation: { isAsked: boolean; knownAtMs: number };
  readonly pause: (ms: number) => Promise<void>;
}

/** The time that processes take, also if their clock is set back, until none accepts a revoked key. */
const REVOKED_WITHIN_MS = 10_000;

/** Ends the requests of a customer: the key was revoked, or a backup was restored. */
export class GivenUp extends Error {}

const PASSING = ['service_unavailable', 'storage_full', 'storage_unavailable'];

export function createAsking(parts: {
  readonly call: Call;
  readonly pause: (ms: number) => Promise<void>;
  readonly seeded: Seeded;
  readonly elapsedMs: () => number;
  readonly authorization: string;
}): Asking {
  const { call, seeded, elapsedMs } = parts;
  let drops = 0;
  const unlessDropped = async <T>(wait: Promise<T>): Promise<T> => {
    const before = drops;
    const value = await wait;
    if (before !== drops) throw new GivenUp();
    return value;
  };
  const pause = (ms: number) => unlessDropped(parts.pause(ms));
  const revocation = { isAsked: false, knownAtMs: Number.POSITIVE_INFINITY };
  const once: Asking['once'] = async (run) => {
    const answer = await unlessDropped(call(run));
    if (answer === null) return null;
    if ('value' in answer) return answer.value;
    const refusal = refusalOf(answer.error);
    if (refusal?.code === 'revoked_api_key') {
      assert.ok(revocation.isAsked, 'a key is told as revoked that is not');
      throw new GivenUp();
    }
    return refusal;
  };
  return {
    once,
    pause,
    revocation,
    dropAll: () => void drops++,
    asKey: (run) => async (services, keyring) => {
      const key = (await keyring.authenticate(parts.authorization)) as OrderingKey;
      const sinceMs = elapsedMs() - revocation.knownAtMs;
      assert.ok(sinceMs < REVOKED_WITHIN_MS, `a key is accepted ${sinceMs} ms after it was revoked`);
      return await run(services, key);
    },
    async insist(run) {
      for (;;) {
        const answer = await once(run);
        if (answer !== null) return answer;
        await pause(seeded.between(100, 3_000));
      }
    },
  };
}

/** Returns a refusal; null if the service may answer a repetition otherwise. @throws any other error */
function refusalOf(error: unknown): ServiceError | null {
  if (error instanceof StorageError) return null;
  if (!(error instanceof ServiceError)) throw error;
  return PASSING.includes(error.code) ? null : error;
}
