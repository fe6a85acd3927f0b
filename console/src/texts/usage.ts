import { locale } from './locale.ts';

/** Texts of the view of the spending. */
export const usageTexts = {
  span: { choices: [7, 30, 90] },
  scope: {
    words: { key: 'This key', account: 'Whole account' },
    wordsOfPerson: { key: 'My orders', account: 'Whole account' },
  },
  figures: {
    orders: 'Orders',
    failures: (count: number) => (count === 0 ? 'None failed' : `${count.toLocaleString(locale)} failed, not charged`),
    none: '–',
  },
  spend: {
    title: 'Spent per day',
    series: 'Spent',
  },
  outcomes: {
    title: 'Orders per day',
    series: { succeeded: 'Succeeded', failed: 'Failed', canceled: 'Canceled', open: 'In progress' },
  },
  models: {
    title: 'By model',
  },
  account: {
    windows: { day: 'Today', month: 'This month', total: 'In total' },
    perMinute: (creates: number, reads: number) =>
      `${creates === 0 ? 'Any number of' : creates.toLocaleString(locale)} orders and ${reads === 0 ? 'any number of' : reads.toLocaleString(locale)} reads a minute`,
  },
  ledger: {
    kinds: {
      credit: 'Credit',
      correction: 'Credit taken back',
      hold: 'Hold',
      release: 'Release',
      charge: 'Charge',
      refund: 'Refund',
    },
  },
  receipts: {
    title: 'Receipts',
    id: 'Id of an order or a batch that has ended',
  },
  webhooks: {
    title: 'Webhooks',
    test: 'Send a test event',
    testAccepted: (status: number, ms: number) =>
      `The receiver accepted it with ${status} after ${ms.toLocaleString(locale)} ms.`,
    rotate: 'Rotate the secret',
  },
  empty: {
    words: {
      title: 'No orders in this period',
      text: 'Choose a longer period. What an order costs appears here at once.',
    },
  },
} as const;
