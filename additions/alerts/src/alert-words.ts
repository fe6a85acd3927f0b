/** The kinds of alerts. */
export const ALERT_KINDS = [
  'circuit_open',
  'upstream_credit',
  'upstream_balance_low',
  'unknown_outcomes',
  'oldest_waiting',
  'margin_below_zero',
  'below_cost',
  'unknown_cost',
  'model_ends',
  'disk_nearly_full',
  'storage_unavailable',
  'spool_unavailable',
  'database_unavailable',
  'standby_behind',
  'standby_asynchronous',
  'process_silent',
  'process_apart',
  'held',
  'sweep_stopped',
  'watch_failed',
] as const;
export const ALERT_STATES = ['open', 'ended'] as const;
export const LONGEST_SILENCE_SECONDS = 2_592_000;
export const MESSAGE_STATES = ['pending', 'delivered', 'failed'] as const;
