import {
  type BudgetLimits,
  type BudgetName,
  type BudgetOptions,
  type Budgets,
  createBudgets,
  type MinuteBudget,
  type Share,
} from './budgets.ts';
import { type Owner, ownerId } from './client-scope.ts';
import type { BudgetState } from './rate-limit-headers.ts';

const END_USER_SETTING = 'DARKROOM_END_USER_PERCENT';

/** Of these budgets one end user with client tokens gets only a part, so that it cannot use up its key's. */
const DIVIDED: readonly BudgetName[] = [
  'body_bytes',
  'streams',
  'waits',
  'reports',
  'examinations',
  'examined_pixels',
  'examined_film_seconds',
];

/** The budgets of all keys, and within them those of each end user that calls with client tokens. */
export type KeyBudgets = Budgets<string | Owner>;

/** @param options.endUserPercent the part of a key's budget that one end user gets; at least 1 of each */
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
        return together(own, ofKeys.acquire(owner.id, name, amount));
      } catch (error) {
        own.release();
        throw error;
      }
    },
    async acquireInTurn(owner, name, amount, turn) {
      if (!isDivided(owner, name)) return await ofKeys.acquireInTurn(keyIdOf(owner), name, amount, turn);
      // Its own share first: what waits for that does not stand in the key's line before others.
      const own = await ofEndUsers.acquireInTurn(ownerId(owner), name, amount, turn);
      try {
        return together(own, await ofKeys.acquireInTurn(owner.id, name, amount, turn));
      } catch (error) {
        own.release();
        throw error;
      }
    },
    spend(owner, name: MinuteBudget, amount) {
      // An end user that has used up its share spends nothing of its key's.
      if (isDivided(owner, name)) ofEndUsers.spend(ownerId(owner), name, amount);
      ofKeys.spend(keyIdOf(owner), name, amount);
    },
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

function together(own: Share, ofKey: Share): Share {
  return {
    release() {
      own.release();
      ofKey.release();
    },
  };
}

/** Returns the part that one end user gets of a limit of its key. */
function partOf(limit: number, percent: number): number {
  return Math.max(1, Math.floor((limit * percent) / 100));
}

function isDivided(owner: string | Owner, name: BudgetName): owner is Owner {
  return typeof owner !== 'string' && owner.client !== undefined && DIVIDED.includes(name);
}

function keyIdOf(owner: string | Owner): string {
  return typeof owner === 'string' ? owner : owner.id;
}
