import { alertKinds } from './alert-kinds.ts';
import { costTexts } from './costs.ts';
import { locale } from './locale.ts';
import { troubleTexts } from './trouble.ts';
import { webhookTexts } from './webhooks.ts';

/** Texts of the operators' page. */
export const operationsTexts = {
  alerts: {
    take: 'I take it on',
    taken: (who: string, when: string) => `${who} took it on, ${when}.`,
    silence: 'Silence',
    silenced: (who: string, until: string) => `${who} silenced it until ${until}.`,
    forHours: (hours: number) => (hours < 48 ? `For ${hours} h` : `For ${hours / 24} days`),
    ...alertKinds,
    webhook: 'Webhook',
    messages: {
      delivered: (to: string, when: string, _error: string) => `${to} told ${when}.`,
      pending: (to: string, _when: string, error: string) =>
        error === '' ? `${to} is being told.` : `${to} not reached yet: ${error}`,
      failed: (to: string, _when: string, error: string) => `${to} not reached: ${error}`,
    },
  },
  engines: {
    paused: 'Paused',
    pausedSince: (when: string, reason: string | null) => `Paused since ${when}${reason === null ? '' : `: ${reason}`}`,
    circuit: {
      faults: {
        auth: 'The upstream rejects our key',
        billing: 'The upstream requires payment',
        rate_limited: 'The upstream asked for a pause',
        busy: 'The upstream is overloaded',
        upstream: 'The upstream returns errors',
        timeout: 'The upstream does not answer',
      },
      advice: {
        auth: 'Set a valid key and restart the service. Accepted orders wait until then.',
        billing: 'Pay the account at the upstream, then resume. Accepted orders wait until then.',
        rate_limited: 'Nothing to do: orders continue after the pause.',
        busy: 'Orders use another route if their model has one; the others wait.',
        upstream: 'Orders use another route if their model has one; the others wait.',
        timeout: 'Orders use another route if their model has one; the others wait.',
      },
      since: (when: string) => `Since ${when}.`,
      close: 'Resume now',
    },
    balanceUnknown: (reason: string) => `The balance could not be read: ${reason}`,
    modes: { live: 'Live', test: 'Test', simulated: 'Simulated' },
    ofHour: (failed: number, ended: number) => `${failed.toLocaleString(locale)} of ${ended.toLocaleString(locale)}`,
    none: '–',
    pause: 'Pause',
    pauseOf: (name: string) => `Pause ${name}`,
    resume: 'Resume',
    resumeOf: (name: string) => `Resume ${name}`,
    failed: 'The request failed',
  },
  ...troubleTexts,
  hold: {
    hold: 'Hold all orders',
    release: 'End the hold',
    as: {
      words: { successor: 'In the place of the other', copy: 'Beside the other' },
    },
  },
  pause: {
    title: (name: string) => `Pause ${name}?`,
  },
  showTest: 'Show test orders too',
  unknown: {
    heads: { price: 'Price', what: 'What', whose: 'Whose', when: 'When' },
    at: (kind: string, engine: string) => `${kind} at ${engine}`,
    span: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
    resolveAll: (ids: number, orders: number) =>
      ids < orders
        ? `Note one finding for ${ids} of ${orders}`
        : ids === 1
          ? 'Note what was found'
          : `Note one finding for ${ids}`,
    kinds: {
      outcome_unknown: 'Outcome unknown',
      late_result: 'Result arrived too late',
      broken_output: 'Image does not decode',
      not_as_ordered: 'Other than ordered',
    },
    advice: {
      outcome_unknown:
        'Look up the order in the engine’s own records by its time. If the engine made it, the engine bills you although the customer was not charged: settle this with the engine. The customer was told and may order again.',
      late_result:
        'The engine delivered after the order had ended. The customer was not charged, but the engine may bill you.',
      broken_output:
        'The engine delivered a complete image that does not decode. The customer was charged: refund the order if the image is of no use. This is final and resolves the entry.',
      not_as_ordered:
        'The engine delivered another thing than was ordered, or less. If it could not be used, the order failed and cost nothing; otherwise the customer was charged for what came. The engine bills you as ordered: settle this with the engine.',
    },
    refundOf: (task: string) => `Refund of ${task}`,
    resolveTitle: (count: number) => (count > 1 ? `What was found about these ${count} orders?` : 'What was found?'),
    resolveText: (count: number) =>
      `This removes ${count > 1 ? 'the entries' : 'the entry'} from the list. It changes no balance and no order.`,
    submit: 'Resolve',
    failed: 'The note was not saved',
  },
  failures: {
    causes: {
      advice: {
        content_policy: 'Nothing: the order was refused for its content. The customer must change it.',
        invalid_input:
          'Read the message. If it names a parameter that the catalog allows, correct the route in the catalog; otherwise the customer must change the order.',
        upstream_error:
          'See the status page of the upstream. If it lasts, pause the engine so that orders use another route.',
        upstream_billing: 'Add credit to your account at the upstream, then resume the engine.',
        upstream_auth: 'Set a valid key and restart the service.',
        timeout: 'If the upstream has become slower, allow more time or use another route.',
        outcome_unknown:
          'Look the orders up in the records of the upstream, then resolve them in the orders that are “Unknown”.',
        storage_error: 'Check the disk or the bucket, and press “Check everything” on “Now”.',
        parent_failed: 'Nothing: see why the task failed that it waited for.',
      },
    },
  },
  costs: costTexts,
  webhooks: {
    statuses: { all: 'All', ...webhookTexts.statuses },
  },
  models: {
    reload: 'Reload the catalog',
    notConfigured: 'not configured',
    ends: (moment: string) => `ends ${moment}`,
  },
} as const;
