import type { FastifyReply } from 'fastify';
import type { BudgetName, Budgets } from '../accounts/budgets.ts';
import { rateLimitHeaders } from '../accounts/rate-limit-headers.ts';
import type { Owner } from '../accounts/scope.ts';

const NAMES = ['ratelimit-policy', 'ratelimit'] as const;

/** Publishes the remaining budgets that a request uses, beside the key's remaining requests per minute. */
export function publishBudgets(
  reply: FastifyReply,
  budgets: Budgets,
  owner: Owner,
  names: readonly BudgetName[],
): void {
  addRateLimits(reply, rateLimitHeaders(budgets.state(owner, names)));
}

/** Adds list members to the rate-limit headers of an answer, unless they are there already. */
export function addRateLimits(reply: FastifyReply, members: Readonly<Record<string, string | undefined>>): void {
  for (const name of NAMES) {
    const added = members[name];
    const before = reply.getHeader(name);
    if (added === undefined) continue;
    // The first parameter of a member is its name.
    const isThere = typeof before === 'string' && before.includes(`${added.split(';', 1)[0]};`);
    if (isThere) continue;
    reply.header(name, before === undefined ? added : `${before}, ${added}`);
  }
}
