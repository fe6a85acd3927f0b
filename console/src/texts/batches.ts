import { locale } from './locale.ts';

const figure = (count: number) => count.toLocaleString(locale);

/** Texts of batches, of which tables are some. */
export const batchTexts = {
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
  cancelWaiting: (count: number) =>
    count === 1 ? '1 order has not started.' : `${figure(count)} orders have not started.`,
} as const;
