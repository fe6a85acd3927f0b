/** The kinds of alerts, with advice and the label of the link. */
export const alertKinds = {
  /** Kinds that cost money or orders while they last; the others can wait for the day. */
  urgent: [
    'circuit_open',
    'upstream_credit',
    'unknown_outcomes',
    'oldest_waiting',
    'margin_below_zero',
    'disk_nearly_full',
    'storage_unavailable',
    'spool_unavailable',
    'standby_behind',
    'process_silent',
    'held',
    'watch_failed',
  ] as readonly string[],
  kinds: {
    circuit_open: 'Upstream blocked',
    upstream_credit: 'Upstream requires payment',
    upstream_balance_low: 'Low balance at the upstream',
    unknown_outcomes: 'Unknown outcomes',
    oldest_waiting: 'Orders wait too long',
    margin_below_zero: 'Margin below zero',
    below_cost: 'Sold below cost',
    unknown_cost: 'Cost unknown',
    model_ends: 'Model ends',
    disk_nearly_full: 'Disk nearly full',
    storage_unavailable: 'Storage does not work',
    spool_unavailable: 'Disk for answers does not work',
    database_unavailable: 'Database was away',
    standby_behind: 'Standby is behind',
    standby_asynchronous: 'No synchronous standby',
    process_silent: 'Process silent',
    process_apart: 'Process with a wrong setting',
    held: 'Nothing is sent',
    sweep_stopped: 'Clean-up stopped',
    watch_failed: 'Alerts are not checked',
  },
  advice: {
    circuit_open:
      'Read the upstream’s reason. If the key is refused, correct it and restart; other reasons clear when the upstream works again.',
    upstream_credit: 'Add credit to the account at the upstream, or raise its spend limit. Then resume the engine.',
    upstream_balance_low: 'Add credit to the account at the upstream, or set a lower DARKROOM_ALERT_BALANCES.',
    unknown_outcomes: 'Look the orders up in the records of the upstream, then resolve each one.',
    oldest_waiting: 'See if a worker runs and if the engine accepts orders. Otherwise raise its concurrency.',
    margin_below_zero: 'Compare revenue and cost by model. Raise the price, or pause the model.',
    below_cost: 'Raise the prices by DARKROOM_PRICE_MULTIPLIERS, or end the permission in DARKROOM_BELOW_COST_MODELS.',
    unknown_cost:
      'Compare what the upstream bills with what the orders earned. State the cost in a catalog of your own, or leave the engine out.',
    model_ends: 'Set up another upstream of the model, or tell its customers to use its successor.',
    disk_nearly_full:
      'Free some space, enlarge the disk, or erase older orders with darkroom retention apply --days 7, which shows what it erases first.',
    storage_unavailable:
      'Read the reason. Orders are kept and go on by themselves once the storage works; nothing has to be repeated.',
    spool_unavailable:
      'Free some space on the disk of its data directory. Until then it takes no order whose answer is the result itself; other workers do.',
    database_unavailable:
      'Read the reason, and the log of the database at that time. Orders were kept and have gone on by themselves.',
    standby_behind:
      'See if the standby runs and what its disk and network do. What it lacks would be lost if it had to take over now, unless it is synchronous.',
    standby_asynchronous:
      'Make one standby synchronous (synchronous_standby_names, in Patroni synchronous_mode). No standby that may take over should be asynchronous: docs/high-availability.md.',
    process_silent: 'See if its machine runs, and read its log. Start it again, or another one of its role.',
    process_apart: 'Correct the setting on that machine and restart the process. The others go on meanwhile.',
    held: 'If you hold it yourself, end the hold here. For a copy, stop the other one first or let it go on, then end the hold in its place or beside it.',
    sweep_stopped:
      'See if database and storage belong together (darkroom doctor --audit). The files stay until fewer are without a row.',
    watch_failed:
      'Read the reason. Until it is mended, alerts of these kinds neither begin nor end: look at these things yourself.',
  },
  show: {
    circuit_open: 'Show the upstreams',
    upstream_credit: 'Show the upstreams',
    upstream_balance_low: 'Show the upstreams',
    unknown_outcomes: 'Show the orders',
    oldest_waiting: 'Show the upstreams',
    margin_below_zero: 'Show the costs',
    below_cost: 'Show the costs',
    unknown_cost: 'Show the costs',
    model_ends: 'Show the models',
  },
};
