import { locale } from './locale.ts';

/** Texts of what orders earned and cost. */
export const costTexts = {
  by: 'Grouped by',
  groups: { model_id: 'Model', account_id: 'Account', engine: 'Engine' },
  hint: 'Live orders of the last 30 days, in US dollars. An order’s cost is the told one; if its upstream told none, the expected one.',
  costUnknown: (orders: string) => `Cost unknown for orders: ${orders}.`,
  earnedUnknown: (revenue: string) =>
    `They earned ${revenue}, which the margin leaves out. State their cost in the catalog.`,
  outcomeUnknown: (orders: string) => `Outcome unknown for orders: ${orders}.`,
  costIfMade: (cost: string) =>
    `If their upstreams made them, they cost ${cost}, which the cost and the margin leave out.`,
  settledHint: 'The live orders of the last 30 days that the costs count, latest first.',
  noneSettled: 'No such order within 30 days.',
  allOrders: 'All orders',
  anyNote: 'Any note',
  noteNames: {
    below_cost: 'Sold below cost',
    differing: 'Cost other than expected',
    unsuccessful: 'Failed or canceled',
    unknown: 'Outcome unknown',
    without_amount: 'Cost unknown',
  },
  notKnown: 'not known',
  notTold: 'none told',
  outcomes: { succeeded: 'Succeeded', failed: 'Failed', canceled: 'Canceled', unknown: 'Outcome unknown' },
  empty: 'No live order with a cost yet',
  emptyText:
    'Live orders of the last 30 days are listed here if their upstream told what they cost, or if the catalog states it.',
  heads: {
    when: 'When',
    orders: 'Orders',
    outcome: 'Outcome',
    revenue: 'Revenue',
    expected: 'Expected cost',
    told: 'Told cost',
    cost: 'Cost',
    margin: 'Margin',
    notes: 'Notes',
  },
  routes: {
    title: 'Losses and unknown costs by route',
    hint: 'With your keys, before any order: by your prices and the upstreams’ price lists.',
    empty: 'Each route of the engines that are set up states a cost that its price covers.',
    price: 'Price',
    what: 'Why it is listed',
  },
  ofRevenue: (share: string) => `${share} of the revenue of orders with a known cost`,
  more: (rows: number) => `The first ${rows.toLocaleString(locale)} only. GET /admin/v1/costs has all of them.`,
  notes: {
    below_cost: (count: string) => `${count} sold below cost`,
    differing: (count: string) => `${count} with a cost other than expected`,
    unsuccessful: (count: string) => `${count} failed or canceled`,
    unknown: (count: string) => `${count} of unknown outcome`,
    without_amount: (count: string) => `cost unknown for ${count}`,
  },
};
