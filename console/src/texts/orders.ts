/** Texts of the orders under way: the tray of every page, and the question at sign-out. */
export const orderTexts = {
  tray: 'Activity',
  none: 'Nothing under way',
  mode: { test: 'Test', live: 'Live', admin: 'Admin' },
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
  delayedBy: {
    operator: 'held or paused by the operator',
    upstream: 'the upstream accepts no orders now',
    storage: 'the service’s storage does not work now',
  },
  left: (seconds: number) =>
    seconds < 90 ? `about ${Math.max(1, Math.round(seconds))} s left` : `about ${Math.round(seconds / 60)} min left`,
  waitsFor: 'waits for another order',
  cancelOf: (title: string) => `Cancel: ${title}`,
} as const;
