import { translated } from './page-language.ts';

/** Texts of the plots on the operators' page. */
export const trendsTexts = translated('trends', {
  span: 'Span',
  spans: { hour: 'Hour', day: 'Day', month: '30 days' },
  hint: {
    hour: 'Live orders of the last hour, in steps of 5 minutes.',
    day: 'Live orders of the last 24 hours, by hour.',
    month: 'Live orders of the last 30 days, by UTC day.',
  },
  since: (when: string) => `Complete since ${when}: earlier orders are not counted, or not yet.`,
  empty: 'No live orders in this time',
  emptyText: 'This page shows how fast and how reliably each engine works, and what it earns.',
  outcome: (succeeded: string, failed: string, refused: string) =>
    `${succeeded} succeeded, ${failed} failed, ${refused} refused for their content or input`,
  plots: {
    success: 'Success rate',
    seconds: 'Time to the result',
    underWay: 'Orders under way',
    events: 'Rate limits and outages',
    money: 'Revenue, cost and margin',
  },
  series: {
    success: 'Success',
    p50: 'Median',
    p95: '95 % within',
    underWay: 'At most',
    rateLimits: 'Rate limits',
    outages: 'Outages',
    revenue: 'Revenue',
    cost: 'Cost',
    margin: 'Margin',
  },
  latest: (value: string) => `${value} (latest)`,
  none: '–',
  table: 'Show the figures',
  tableOf: (engine: string) => `Figures of ${engine}`,
  heads: {
    at: 'From',
    succeeded: 'Succeeded',
    failed: 'Failed',
    refused: 'Refused',
    success: 'Success',
    p50: 'Median',
    p95: '95 % within',
    underWay: 'Under way',
    rateLimits: 'Rate limits',
    outages: 'Outages',
    revenue: 'Revenue',
    cost: 'Cost',
    margin: 'Margin',
  },
} as const);
