import { Type } from 'typebox';
import { Currency, Flag, listOf, Money, Nullable, refTo, Text, Time, Whole, type Wire } from './parts.ts';
import { COST_GROUPS } from './words.ts';

/** Revenue and cost of live orders, as operators see them. */

export const CostRow = Type.Object(
  {
    model_id: Type.Optional(Text),
    account_id: Type.Optional(Text),
    engine: Type.Optional(Text),
    orders: Type.Integer({ description: 'Live orders that succeeded, and others that cost something or may have.' }),
    unsuccessful: Type.Integer({
      description: 'Those that failed or were canceled: they cost something and earned nothing.',
    }),
    unknown: Type.Integer({ description: 'Those of which nobody knows if the upstream made and billed them.' }),
    revenue: Type.String({ description: 'US dollars charged for these orders.' }),
    expected: Type.String({ description: "US dollars by the upstreams' price lists, where the catalog states them." }),
    told: Type.String({ description: 'US dollars by what the upstreams told of each order, where they did.' }),
    cost: Type.String({
      description: 'US dollars: of each order of known outcome what was told, else what is expected.',
    }),
    margin: Type.Unsafe<string>({
      ...Money,
      description: 'US dollars: the revenue of orders of known outcome and cost, less their cost.',
    }),
    without_amount: Type.Integer({
      description: 'Orders of known outcome whose cost is unknown: neither told in dollars nor stated by the catalog.',
    }),
    revenue_without_amount: Type.String({ description: 'US dollars charged for those.' }),
    unknown_cost: Type.String({
      description:
        'US dollars that orders of unknown outcome cost if their upstreams made them, where that is told or expected. `cost` and `margin` leave them out.',
    }),
    differing: Type.Integer({
      description: 'Orders whose told cost is more than 5 % above or below the expected one.',
    }),
    below_cost: Type.Integer({ description: 'Successful orders that cost more than they earned.' }),
    currency: Currency,
  },
  {
    $id: 'CostRow',
    description:
      'Orders of one group, what they earned and what they cost. Only the fields named in group_by are present.',
  },
);
export type CostRowView = Wire<typeof CostRow>;

export const CostReport = Type.Object(
  {
    from: Time,
    to: Time,
    group_by: Type.Array(Type.Enum(COST_GROUPS)),
    items: Type.Array(refTo(CostRow)),
    limit: Whole,
    has_more: Flag,
    next_after: Nullable(Text, 'Send it as after to get the next page; null = this is the last page.'),
  },
  { $id: 'CostReport', description: 'Live orders that ended within a period and whose cost is told or expected.' },
);

export const CostOrder = Type.Object(
  {
    task_id: Text,
    account_id: Text,
    account_name: Text,
    model_id: Text,
    engine: Text,
    outcome: Type.Enum(['succeeded', 'failed', 'canceled', 'unknown'], {
      description: '`unknown`: nobody knows if the upstream made and billed it.',
    }),
    revenue: Type.String({ description: 'US dollars charged for the order.' }),
    expected: Nullable(Money, "By the upstream's price list; null if the catalog does not state it."),
    told: Nullable(Money, 'By what the upstream told; null if it did not.'),
    cost: Nullable(Money, 'What was told, else what is expected; null if neither is known, or the outcome is not.'),
    margin: Nullable(Money, 'The revenue less the cost; null if that is not known.'),
    settled_at: Time,
  },
  { $id: 'CostOrder', description: 'What a live order earned and cost.' },
);
export type CostOrderView = Wire<typeof CostOrder>;

export const CostOrderPage = listOf(CostOrder, {
  limit: Whole,
  has_more: Flag,
  next_after: Nullable(Text, 'Send it as after to get the next page; null = this is the last page.'),
});
