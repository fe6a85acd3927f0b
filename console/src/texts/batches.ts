import { locale } from './locale.ts';

const figure = (count: number) => count.toLocaleString(locale);

/** Texts of batches, of which light tables are some. */
export const batchTexts = {
  batch: 'Batch',
  batches: 'Batches',
  asTable: 'Light table',
  none: 'No batches yet. A batch orders up to 10,000 pictures and videos at one price: with POST /v1/batches or with darkroom batch.',
  noTables: 'Your light tables appear here. Write a prompt, choose models and seeds, and see the results side by side.',
  status: {
    processing: 'In progress',
    succeeded: 'Complete',
    partial: 'Complete, some without a result',
    failed: 'Failed',
    canceled: 'Canceled',
  },
  progress: (done: number, all: number) => `${figure(done)} of ${figure(all)} done`,
  counts: {
    queued: (count: number) => `${figure(count)} waiting`,
    processing: (count: number) => `${figure(count)} running`,
    failed: (count: number) => `${figure(count)} failed`,
    canceled: (count: number) => `${figure(count)} canceled`,
  },
  charged: (amount: string) => `Charged ${amount}`,
  held: (amount: string) => `${amount} held`,
  wouldCost: (amount: string) => `${amount} with a live key; nothing is charged for a test`,
  results: 'Results',
  lines: 'Results as JSON lines',
  zip: 'Pictures and videos as ZIP',
  cancel: 'Cancel what has not started',
  cancelTitle: 'Cancel this batch?',
  cancelText:
    'Orders that have not started end now and cost nothing. Orders that already run may still finish and are charged.',
  cancelWaiting: (count: number) =>
    count === 1 ? '1 order has not started.' : `${figure(count)} orders have not started.`,
  keep: 'Keep it',
  confirm: 'Cancel the batch',
  canceling: 'Being canceled',
  failed: 'The batch was not canceled',
  notSaved: 'The results were not saved',
  older: 'Show older ones',
} as const;
