/** Texts of the wall of one's own work, and of an order in full. */
export const historyTexts = {
  filters: {
    types: { all: 'All', image: 'Images', video: 'Videos' },
    statuses: [
      { value: '', label: 'Any status' },
      { value: 'queued,processing', label: 'In progress' },
      { value: 'succeeded', label: 'Succeeded' },
      { value: 'failed', label: 'Failed' },
      { value: 'canceled', label: 'Canceled' },
    ],
    spans: [
      { value: '', label: 'Any time' },
      { value: '1', label: 'Last 24 hours' },
      { value: '7', label: 'Last 7 days' },
      { value: '30', label: 'Last 30 days' },
      { value: 'days', label: 'Between two days' },
    ],
    clear: 'Clear filters',
  },
  tags: {
    favourite: 'Favourite',
  },
  wall: {
    reject: 'Reject (x key)',
    isRejected: 'Rejected',
    tagged: (count: number) => (count === 1 ? 'Tags changed' : `Tags of ${count} orders changed`),
  },
  boards: {
    moved: (count: number, board: string) =>
      count === 1 ? `Put on the board ${board}` : `${count} orders put on the board ${board}`,
  },
  nothingFits: {
    title: 'No orders match these filters',
    text: 'Remove a filter, or choose a longer period.',
  },
  kinds: { image: 'Image', video: 'Video' },
  noPrompt: 'Without a prompt',
  detail: {
    costStates: { held: 'Held', charged: 'Charged', released: 'Nothing was charged', refunded: 'Refunded' },
    withSound: 'with sound',
  },
} as const;
