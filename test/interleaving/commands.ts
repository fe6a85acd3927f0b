import fc from 'fast-check';

export const CUSTOMERS = 2;
export const END_USERS = ['ann', 'ben'] as const;

/** The work that each process does again and again on its own. */
export const CHORES = ['release', 'feed', 'fetch', 'claim', 'erase', 'delete_due'] as const;
/** What a worker does with an order that it has claimed, as far as its step allows it. */
const WORKS = [
  'succeed',
  'succeed',
  'fail',
  'fail_late',
  'submit',
  'submit',
  'run',
  'defer',
  'park',
  'return',
  'move_on',
] as const;
export type Work = (typeof WORKS)[number];

const nth = fc.nat({ max: 5 });
const customer = fc.nat({ max: CUSTOMERS - 1 });
const endUser = fc.constantFrom(null, null, ...END_USERS);
/** The inputs of an order: none, a reference that can, can not or can not yet be fetched, or orders before it. */
const wish = fc.record({
  reference: fc.constantFrom(null, null, null, 'good', 'good', 'broken', 'busy'),
  parents: fc.array(nth, { maxLength: 3 }),
  endUser,
});
export type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never;

const record = <Kind extends string, Fields extends object>(
  weight: number,
  kinds: readonly Kind[],
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
) => ({
  weight,
  arbitrary: fc
    .tuple(fc.constantFrom(...kinds), fc.record<Fields>(fields))
    .map(([kind, rest]): { readonly kind: Kind } & Fields => ({ ...rest, kind })),
});

/** One thing that a customer, an operator or a process does. */
const command = fc.oneof(
  record(12, ['order'], { customer, wish, isLate: fc.boolean() }),
  record(5, ['batch'], {
    customer,
    wishes: fc.array(wish, { minLength: 1, maxLength: 5 }),
    maxParallel: fc.constantFrom(null, 1, 2),
  }),
  record(16, CHORES, {}),
  record(6, ['claim', 'feed'], {}),
  record(20, ['work'], { work: fc.constantFrom(...WORKS), nth, share: fc.constantFrom(0, 0.4, 1) }),
  record(10, ['cancel', 'cancel_for_customer'], { customer, nth }),
  record(8, ['cancel_all', 'follow_all'], { customer, isReversed: fc.boolean() }),
  record(8, ['delete', 'hide', 'show', 'refund'], { customer, nth }),
  record(4, ['cancel_batch'], { customer, nth }),
  record(1, ['erase_end_user'], { customer, endUser: fc.constantFrom(...END_USERS) }),
  record(2, ['limit_end_user'], { customer, endUser: fc.constantFrom(...END_USERS) }),
  record(2, ['limit_key'], { customer, window: fc.constantFrom('day', 'month', 'total') }),
  record(2, ['slots'], { customer, concurrency: fc.nat({ max: 3 }) }),
  record(2, ['wake_orders', 'take_over', 'die'], {}),
  record(2, ['silence'], { nth }),
  record(2, ['wait'], { ms: fc.constantFrom(250, 2_500, 31_000, 31_000, 301_000, 7 * 3_600_000) }),
);
export type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

const MOST_AT_ONCE = 7;

/**
 * Commands that are given at the same time, each to one of the processes or to two, as a client does that got no answer
 * from the first, and after them the next ones.
 */
export const plan = fc.record({
  /** The slots of the key of each customer; 0 = no limit. */
  slots: fc.tuple(fc.constantFrom(0, 1, 2), fc.constantFrom(0, 2)),
  rounds: fc.array(
    fc.array(fc.record({ process: fc.nat({ max: 2 }), command, isTwice: fc.boolean() }), {
      minLength: 2,
      maxLength: MOST_AT_ONCE,
    }),
    { minLength: 4, maxLength: 12 },
  ),
  /** Whether the account of the first customer is erased, and after which round. */
  erasedAfter: fc.constantFrom(null, null, null, 3, 6),
  /** Where and how long transactions pause with the locks that they hold. */
  pauses: fc.nat(),
});
export type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;
