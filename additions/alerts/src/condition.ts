import { ADVICE, type Schema } from '@darkroom-service/darkroom/kernel';
import type { Selectable } from 'kysely';

export type AlertRow = Selectable<Schema['alerts']>;
export type AlertKind = AlertRow['kind'];

/**
 * A condition that an operator should know of, as observed now. Conditions with equal kind and subject are one alert.
 */
export interface Condition {
  readonly kind: AlertKind;
  /** The subject, such as an engine; '' = the whole service. */
  readonly subject: string;
  /** Description in one sentence, with the figures. */
  readonly summary: string;
}

/** Advice on a condition, and the page of the console that shows it. */
interface Remedy {
  readonly action: string;
  /** Path of the page below the console's address. */
  readonly page: string;
}

const REMEDIES: Readonly<Record<AlertKind, Remedy>> = {
  circuit_open: {
    action:
      "Read the upstream's reason. If the key is refused, correct it and restart; other reasons clear when the upstream works again.",
    page: '/now/upstreams',
  },
  upstream_credit: {
    action: 'Add credit to the account at the upstream, or raise its spend limit. Then close the circuit.',
    page: '/now/upstreams',
  },
  upstream_balance_low: {
    action: 'Add credit to the account at the upstream, or set a lower DARKROOM_ALERT_BALANCES.',
    page: '/now/upstreams',
  },
  unknown_outcomes: {
    action: 'Look the orders up in the records of the upstream, then resolve each one.',
    page: '/orders?state=unknown',
  },
  oldest_waiting: {
    action: 'See if a worker runs and if the engine accepts orders. Otherwise raise its concurrency.',
    page: '/now/upstreams',
  },
  margin_below_zero: {
    action: 'Compare revenue and cost by model. Raise the price, or pause the model.',
    page: '/money/margins',
  },
  below_cost: { action: ADVICE.below_cost, page: '/money/margins' },
  unknown_cost: { action: ADVICE.unknown_cost, page: '/money/margins' },
  model_ends: { action: ADVICE.model_ends, page: '/now/models' },
  disk_nearly_full: {
    action:
      'Free some space, enlarge the disk, or erase older orders with darkroom retention apply --days 7, which shows what it erases first.',
    page: '/now',
  },
  storage_unavailable: {
    action:
      'Read the reason. Orders are kept and go on by themselves once the storage works; nothing has to be repeated.',
    page: '/now',
  },
  spool_unavailable: {
    action:
      'Free some space on the disk of its data directory. Until then it takes no order whose answer is the result itself; other workers do.',
    page: '/now',
  },
  database_unavailable: {
    action:
      'Read the reason, and the log of the database at that time. Orders were kept and have gone on by themselves.',
    page: '/now',
  },
  standby_behind: { action: ADVICE.standby_behind, page: '/now' },
  standby_asynchronous: { action: ADVICE.standby_asynchronous, page: '/now' },
  process_silent: { action: ADVICE.process_silent, page: '/now' },
  process_apart: { action: ADVICE.process_apart, page: '/now' },
  held: { action: ADVICE.held, page: '/now' },
  watch_failed: {
    action:
      'Read the reason. Until it is mended, alerts of these kinds neither begin nor end: look at these things yourself.',
    page: '/now',
  },
  sweep_stopped: { action: ADVICE.sweep_stopped, page: '/now' },
};

/** Remedy for a kind that only a newer version knows. */
const UNKNOWN: Remedy = { action: 'Read docs/runbook.md of the version that found it.', page: '/now' };

/** Returns the remedy for an alert. */
export function remedyOf(kind: string): Remedy {
  return Object.hasOwn(REMEDIES, kind) ? REMEDIES[kind as AlertKind] : UNKNOWN;
}

/** Maximum number of sentences of one alert; more are counted. */
const SENTENCES = 3;

/** Merges conditions of the same kind and subject into one, since only one alert of them can last. */
export function oncePerSubject(found: readonly Condition[]): Condition[] {
  const groups = Map.groupBy(found, ({ kind, subject }) => `${kind} ${subject}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const sentences = [...new Set([first, ...others].map(({ summary }) => summary))];
    const rest = sentences.length > SENTENCES ? [`${sentences.length - SENTENCES} more are like these.`] : [];
    return [{ ...first, summary: [...sentences.slice(0, SENTENCES), ...rest].join(' ') }];
  });
}
