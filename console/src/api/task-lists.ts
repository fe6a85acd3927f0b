import { queryClient, refresh } from './use-api.ts';

/** Prefix of the cache key of every list of tasks that is no single operation. */
export const TASK_LISTS = 'task-lists';
/** Prefix of the cache key of the long lists of the history, which are read once. */
export const HISTORY_PAGES = 'history-pages';
/** Minimum time between two refetches, in milliseconds: many orders may end at once. */
const PAUSE_MS = 1_000;

const channel = new BroadcastChannel('darkroom.task-lists');
let isPaused = false;
let isDue = false;

channel.addEventListener('message', readTaskListsAgain);
// Other programs place orders with the same key, which no event reports.
window.addEventListener('focus', readTaskListsAgain);

/** Refetches the lists that a new order changes, here and in the other tabs. Call it when an order was placed. */
export function announcePlacedTasks(): void {
  readTaskListsAgain();
  channel.postMessage(null);
}

/** Refetches all lists of tasks and the sums of the account, at most once a second. */
export function readTaskListsAgain(): void {
  if (isPaused) {
    isDue = true;
    return;
  }
  isPaused = true;
  void refresh(
    'GET /v1/images',
    'GET /v1/videos',
    'GET /v1/batches',
    'GET /v1/account',
    'GET /v1/account/usage',
    'GET /v1/account/webhooks/deliveries',
  );
  void queryClient.invalidateQueries({ queryKey: [TASK_LISTS] });
  setTimeout(() => {
    isPaused = false;
    if (!isDue) return;
    isDue = false;
    readTaskListsAgain();
  }, PAUSE_MS);
}
