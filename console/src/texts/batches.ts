import { locale } from './locale.ts';

/** Texts of the page of batches. */
export const batchTexts = {
  lead: 'Orders that were placed together, at one price.',
  title: 'Batches',
  close: 'Close',
  heads: { batch: 'Batch', when: 'Placed', progress: 'Tasks', cost: 'Charged', actions: 'Actions' },
  status: {
    processing: 'In progress',
    succeeded: 'Succeeded',
    failed: 'Failed',
    partial: 'Partly succeeded',
    canceled: 'Canceled',
  },
  finished: (done: number, all: number) => `${done.toLocaleString(locale)} of ${all.toLocaleString(locale)} finished`,
  counts: {
    queued: (count: number) => `${count.toLocaleString(locale)} waiting`,
    processing: (count: number) => `${count.toLocaleString(locale)} running`,
    succeeded: (count: number) => `${count.toLocaleString(locale)} succeeded`,
    failed: (count: number) => `${count.toLocaleString(locale)} failed`,
    canceled: (count: number) => `${count.toLocaleString(locale)} canceled`,
  },
  ofQuoted: (quoted: string) => `of at most ${quoted}`,
  held: (amount: string) => `${amount} held`,
  playMoney: 'play money',
  tasks: 'Tasks',
  tasksOf: (id: string) => `Tasks of ${id}`,
  more: (id: string) => `Actions for ${id}`,
  lines: 'Results as JSON lines',
  zip: 'Pictures and videos as ZIP',
  cancel: 'Cancel',
  cancelTitle: 'Cancel this batch?',
  cancelText:
    'Orders that have not started end now and cost nothing. Orders that already run may still finish and are charged.',
  cancelWaiting: (count: number) =>
    count === 1 ? '1 order has not started.' : `${count.toLocaleString(locale)} orders have not started.`,
  keep: 'Keep it',
  confirm: 'Cancel the batch',
  canceling: 'Being canceled',
  failed: 'The batch was not canceled',
  notSaved: 'The results were not saved',
  older: 'Show older batches',
  empty: {
    title: 'No batches yet',
    text: 'A batch orders up to 10,000 pictures and videos at one price: with POST /v1/batches or with darkroom batch.',
    action: 'Back to the history',
  },
} as const;
