import { locale } from './locale.ts';

/** Texts of what orders earned and cost. */
export const costTexts = {
  groups: { model_id: 'Model', account_id: 'Account', engine: 'Engine' },
  costIfMade: (cost: string) =>
    `If their upstreams made them, they cost ${cost}, which the cost and the margin leave out.`,
  noteNames: {
    below_cost: 'Sold below cost',
    differing: 'Cost other than expected',
    unsuccessful: 'Failed or canceled',
    unknown: 'Outcome unknown',
    without_amount: 'Cost unknown',
  },
  notKnown: 'not known',
  outcomes: { succeeded: 'Succeeded', failed: 'Failed', canceled: 'Canceled', unknown: 'Outcome unknown' },
  empty: 'No live order with a cost yet',
  heads: {
    orders: 'Orders',
    revenue: 'Revenue',
    expected: 'Expected cost',
    told: 'Told cost',
    cost: 'Cost',
    margin: 'Margin',
    notes: 'Notes',
  },
  more: (rows: number) => `The first ${rows.toLocaleString(locale)} only. GET /admin/v1/costs has all of them.`,
  notes: {
    below_cost: (count: string) => `${count} sold below cost`,
    differing: (count: string) => `${count} with a cost other than expected`,
    unsuccessful: (count: string) => `${count} failed or canceled`,
    unknown: (count: string) => `${count} of unknown outcome`,
    without_amount: (count: string) => `cost unknown for ${count}`,
  },
};
