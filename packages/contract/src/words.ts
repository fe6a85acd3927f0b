/** The closed lists of words that answers and queries use. No schema library is loaded with them. */

/** The longest time, in seconds, that a request waits for a result: many proxies end an idle one after 50 or 60. */
export const LONGEST_WAIT_SECONDS = 45;
/** The longest time, in milliseconds, that a request waits for the examination of all its files together. */
export const EXAMINED_WITHIN_MS = 30_000;

export const TASK_STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const;

export const MODES = ['live', 'test'] as const;

/** The modes that a report for operators covers. */
export const MODE_FILTERS = ['live', 'test', 'all'] as const;
export type ModeFilter = (typeof MODE_FILTERS)[number];

/** The states by which operators filter orders. `unknown`: orders with an unresolved entry of reconciliation. */
export const ORDER_STATES = ['all', 'open', 'failed', 'unknown'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Actions of operators on open orders. */
export const ORDER_DEEDS = ['ask', 'cancel', 'give_up'] as const;
export type OrderDeedName = (typeof ORDER_DEEDS)[number];

export const USAGE_GROUPS = ['day', 'model_id', 'status', 'end_user'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The groups of the costs of orders. */
export const COST_GROUPS = ['model_id', 'account_id', 'engine'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

/** Reasons why an operator should look into the cost of an order; the cost report counts each. */
export const COST_NOTES = ['below_cost', 'differing', 'unsuccessful', 'unknown', 'without_amount'] as const;
export type CostNote = (typeof COST_NOTES)[number];

export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;
export type CircuitState = (typeof CIRCUIT_STATES)[number];

/** The faults of an upstream that can open its circuit. The refusal of a single order is not one. */
export const UPSTREAM_FAULTS = ['auth', 'billing', 'rate_limited', 'busy', 'upstream', 'timeout'] as const;
export type UpstreamFault = (typeof UPSTREAM_FAULTS)[number];
export const BATCH_STATUSES = ['processing', 'succeeded', 'failed', 'partial', 'canceled'] as const;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** The parties that can delay an order. */
export const DELAYS = ['operator', 'upstream', 'storage'] as const;
export type Delay = (typeof DELAYS)[number];

/** Codes of the reasons why an order that no upstream has yet waits. */
export const DELAY_CODES = [
  'parent',
  'batch',
  'held',
  'inputs',
  'step',
  'model_paused',
  'upstream_paused',
  'upstream_refuses',
  'upstream_away',
  'upstream_not_ready',
  'upstream_pause',
  'upstream_limit',
  'upstream_declined',
  'storage',
  'no_process',
  'key_limit',
  'turn',
] as const;
export type DelayCode = (typeof DELAY_CODES)[number];

export const PROCESS_STATES = ['running', 'silent', 'ended'] as const;

/** Codes of the reasons for which a task fails. */
export const TASK_FAILURE_CODES = [
  'content_policy',
  'invalid_input',
  'upstream_error',
  'upstream_billing',
  'upstream_auth',
  'timeout',
  'outcome_unknown',
  'storage_error',
  'parent_failed',
] as const;

/** Codes of the ways in which a result may differ from its order. */
export const WARNING_CODES = [
  'smaller',
  'shorter',
  'other_ratio',
  'silent',
  'other_format',
  'no_grid',
  'opaque',
  'other_quality',
  'other_model',
  'further_outputs',
  'price_unchanged',
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];
