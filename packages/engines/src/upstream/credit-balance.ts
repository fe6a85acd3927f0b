import type { ReadBalance } from '../probed.ts';
import { objectOf } from './json-object.ts';
import type { Upstream } from './upstream-call.ts';

/** Creates a `balance` that reads a number of credits from the answer of one free call. */
export function createCreditBalance(upstream: Upstream, url: string, field: string): ReadBalance {
  return async ({ signal }) => {
    const { body } = await upstream.call({ url, signal });
    const amount = objectOf(body)[field];
    if (typeof amount === 'number' && Number.isFinite(amount)) return { amount: String(amount), unit: 'credits' };
    throw new Error(`${upstream.name} named no balance`);
  };
}
