import {
  type BudgetLimits,
  type BudgetName,
  type BudgetOptions,
  type Budgets,
  createBudgets,
  type MinuteBudget,
  type SharedBudget,
} from './budgets.ts';
import { type Owner, ownerId } from './client-scope.ts';
import type { BudgetState } from './rate-limit-headers.ts';

export const END_USER_SETTING = 'DARKROOM_END_USER_PERCENT';

/** Of these budgets one end user with client tokens gets only a part, so that it cannot use up its key's. */
const DIVIDED = ['streams', 'waits'] as const satisfies readonly SharedBudget[];

/** The budgets of all keys, and within them those of each end user that calls with client tokens. */
export type KeyBudgets = Budgets<string | Owner>;

/** @param options.endUserPercent the part of a key's budget that one end user gets; at least 1 stream and 1 wait */
export function createKeyBudgets(
  options: Pick<BudgetOptions, 'limits' | 'now'> & { readonly endUserPercent: number },
): KeyBudgets {
  const { endUserPercent, limits, now } = options;
  const ofKeys = createBudgets({ limits, now });
  const ofEndUsers = createBudgets({
    limits: { ...limits, ...dividedLimits(limits, endUserPercent) },
    now,
    subject: 'This end user has reached its share of the',
    setting: END_USER_SETTING,
  });
  return {
    acquire(owner, name, amount) {
      if (!isDivided(owner, name)) return ofKeys.acquire(keyIdOf(owner), name, amount);
      const own = ofEndUsers.acquire(ownerId(owner), name, amount);
      try {
        const ofKey = ofKeys.acquire(owner.id, name, amount);
        return {
          release() {
            own.release();
            ofKey.release();
          },
        };
      } catch (error) {
        own.release();
        throw error;
      }
    },
    // The divided budgets are never waited for.
    acquireInTurn: (owner, name, amount, turn) => ofKeys.acquireInTurn(keyIdOf(owner), name, amount, turn),
    spend: (owner, name: MinuteBudget, amount) => ofKeys.spend(keyIdOf(owner), name, amount),
    state: (owner, names) => names.flatMap((name) => stateOf(owner, name)),
  };

  function stateOf(owner: string | Owner, name: BudgetName): BudgetState[] {
    const states = ofKeys.state(keyIdOf(owner), [name]);
    if (!isDivided(owner, name)) return states;
    const left = Math.min(...states.map(({ remaining }) => remaining));
    return ofEndUsers
      .state(ownerId(owner), [name])
      .map((state) => ({ ...state, remaining: Math.min(left, state.remaining) }));
  }
}

function dividedLimits(limits: BudgetLimits, percent: number): Partial<BudgetLimits> {
  return Object.fromEntries(DIVIDED.map((name) => [name, partOf(limits[name], percent)]));
}

/** Returns the part that one end user gets of a limit of its key. */
export function partOf(limit: number, percent: number): number {
  return Math.max(1, Math.floor((limit * percent) / 100));
}

function isDivided(owner: string | Owner, name: BudgetName): owner is Owner {
  return typeof owner !== 'string' && owner.client !== undefined && DIVIDED.some((divided) => divided === name);
}

function keyIdOf(owner: string | Owner): string {
  return typeof owner === 'string' ? owner : owner.id;
}
