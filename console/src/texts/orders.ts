import { translatedFirst } from './language.ts';

/** Texts of the orders under way: the tray of every page, and the question at sign-out. */
export const orderTexts = translatedFirst('orders', {
  tray: 'Orders',
  underWay: (count: number) => (count === 1 ? '1 order under way' : `${count} orders under way`),
  unconfirmedCount: (count: number) => `${count} unconfirmed`,
  none: 'Nothing under way',
  noneHint: 'Orders that you place appear here until they have ended, on every page and in every tab.',
  current: 'Under way',
  ended: 'Just ended',
  clear: 'Clear',
  close: 'Close',
  mode: { test: 'Test', live: 'Live' },
  state: {
    sending: 'Sending',
    unconfirmed: 'Unconfirmed',
    placed: 'Placed',
    queued: 'Queued',
    processing: 'Processing',
    succeeded: 'Finished',
    partial: 'Finished, some without a result',
    failed: 'Failed',
    canceled: 'Canceled',
    refused: 'Refused',
  },
  unconfirmedHint:
    'The answer was lost. The console asks again with the same Idempotency-Key, so the order is placed and charged at most once.',
  tryNow: 'Try now',
  giveUp: 'Give up',
  position: (position: number) => (position === 1 ? 'next in the queue' : `number ${position} in the queue`),
  left: (seconds: number) =>
    seconds < 90 ? `about ${Math.max(1, Math.round(seconds))} s left` : `about ${Math.round(seconds / 60)} min left`,
  done: (ended: number, orders: number) => `${ended} of ${orders} done`,
  waitsFor: 'waits for another order',
  notCharged: 'nothing was charged',
  progress: (title: string) => `Progress: ${title}`,
  cancel: 'Cancel',
  cancelOf: (title: string) => `Cancel: ${title}`,
  canceling: 'Canceling …',
  cancelFailed: 'Could not cancel',
  open: (title: string) => `Open: ${title}`,
  remove: (title: string) => `Remove from the list: ${title}`,
  notArrived:
    'It did not arrive within ten minutes and was not placed. Nothing was charged. Order it again if you still want it.',
  hasEnded: 'has ended',
  announce: (title: string, state: string) => `${title}: ${state}`,
  leaving: {
    title: (count: number) => (count === 1 ? 'One order is still under way' : `${count} orders are still under way`),
    text: 'They are made and charged all the same. You find them in the history when you sign in with the same key again.',
    unconfirmed: (count: number) =>
      `${count === 1 ? 'One of them is' : `${count} of them are`} unconfirmed: without this list, the console cannot find out whether it arrived. Look in the history before you order it again.`,
    lost: 'The list of orders is removed in all tabs of this browser.',
    stay: 'Stay signed in',
    signOut: 'Sign out',
    forget: 'Forget the key',
  },
} as const);
