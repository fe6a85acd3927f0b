const CANCELED_AT_ONCE =
  'a cancel ends a queued order in its own commit, and an order that was told to stop never returns to the queue';
const NOT_STARTED = 'nobody watches this';
const PERMITS = 'only processes over PostgreSQL claim by permits, and the database is the embedded one';
const NO_SUCH_ORDER = 'no order wants this';

/** The cells that a simulation cannot meet, each with the reason. To meet one is a fault. */
export const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'claimed at waiting: its customer canceled it': CANCELED_AT_ONCE,
  'claimed at preparing: its customer canceled it': CANCELED_AT_ONCE,
  'claimed at deferred: its engine is paid, and unsaved answers fill the memory': 'results are small',
  'prepared at preparing: its engine is paid, and unsaved answers fill the memory': 'results are small',
  'no_slot at preparing: always': 'an order from the queue has its slot from its claim on',
  'searched at submitting: another process has its answer':
    'each machine has one process at a time, and its disk is free for the next one',
  'commit of claim_clock': PERMITS,
  'commit of claim_permits': PERMITS,
  'commit of erase_file': 'customers upload nothing',
  'commit of remove_tasks': 'rows are kept for ever',
  'commit of hold': 'a backup is marked as held beside the service, and no beat is lost that the storage has',
  'commit of read_installation': 'an embedded database is never connected anew',
  'commit of engine_limit': NOT_STARTED,
  'commit of last_checks': NOT_STARTED,
  'commit of local_capacity': NOT_STARTED,
  'commit of broken_output': 'no order uses the picture of another one',
  'storage: too_large': 'results are small',
  'follower delivery: ended': NO_SUCH_ORDER,
  'follower webhooks: told': 'no addition tells of budgets',
  'follower webhooks: delivered': NO_SUCH_ORDER,
};
