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
    tellAgain: 'Send messages again',
    notDone: 'The alert was not changed',
    noneEnded: 'No alert has ended within 30 days.',
    ...alertKinds,
    since: (when: string) => `Since ${when}.`,
    nobody: 'Nobody was told: no webhook is set up.',
    webhook: 'Webhook',
    messages: {
      delivered: (to: string, when: string, _error: string) => `${to} told ${when}.`,
      pending: (to: string, _when: string, error: string) =>
        error === '' ? `${to} is being told.` : `${to} not reached yet: ${error}`,
      failed: (to: string, _when: string, error: string) => `${to} not reached: ${error}`,
    },
    showEnded: 'Show ended alerts',
    ended: 'Ended alerts',
    endedHint: 'Alerts of the last 30 days, with the last message about each.',
    heads: { began: 'Began', ended: 'Ended', what: 'Alert', told: 'Told' },
  },
  engines: {
    takes: 'Accepts orders',
    paused: 'Paused',
    pausedSince: (when: string, reason: string | null) => `Paused since ${when}${reason === null ? '' : `: ${reason}`}`,
    circuit: {
      title: 'No orders are sent to its upstream for now',
      open: 'Blocked for now',
      halfOpen: 'Being tested',
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
      retry: (when: string) => `One order is sent as a test at ${when}.`,
      trying: 'One order is being sent as a test.',
      close: 'Resume now',
    },
    balance: (amount: string, unit: string, when: string) => `${amount} ${unit} left at the upstream, ${when}`,
    balanceUnknown: (reason: string) => `The balance could not be read: ${reason}`,
    heads: { name: 'Upstream', state: 'State', actions: 'Actions' },
    modes: { live: 'Live', test: 'Test', simulated: 'Simulated' },
    waiting: 'Waiting',
    inFlight: 'In progress',
    oldest: 'Longest wait',
    errorRate: 'Failed',
    ofHour: (failed: number, ended: number) => `${failed.toLocaleString(locale)} of ${ended.toLocaleString(locale)}`,
    none: '–',
    pause: 'Pause',
    pauseOf: (name: string) => `Pause ${name}`,
    resume: 'Resume',
    resumeOf: (name: string) => `Resume ${name}`,
    failed: 'The request failed',
    figures: {
      waiting: 'Waiting',
      inFlight: 'In progress',
      oldest: 'Longest wait',
      errors: 'Failed in the last hour',
      noneWaits: 'None waiting',
    },
  },
  ...troubleTexts,
  health: {
    title: 'Health check',
    check: 'Check everything',
    allWell: 'All checks passed.',
    faults: (count: number) => (count === 1 ? '1 check failed.' : `${count} checks failed.`),
  },
  hold: {
    hold: 'Hold all orders',
    holdTitle: 'Hold all orders?',
    holdText:
      'Orders are accepted and wait: none is sent to an upstream, and no webhook is sent. Orders that an upstream has are finished.',
    message: 'For your customers',
    messageHint: 'They read it on their orders',
    notHeld: 'Orders are not held',
    release: 'End the hold',
    releaseTitle: 'End the hold?',
    releaseText: 'The orders that wait are sent.',
    copyText:
      'This installation is a copy, or its database was restored. Orders that were open then may have been sent by the other one: they go into reconciliation.',
    as: {
      label: 'How it goes on',
      words: { successor: 'In the place of the other', copy: 'Beside the other' },
    },
    notReleased: 'The hold goes on',
  },
  pause: {
    title: (name: string) => `Pause ${name}?`,
    text: 'New orders are refused with 503 and can be sent again later. Orders in progress continue.',
    reason: 'Reason',
    reasonHint: 'Shown in this list and in the audit log',
    placeholder: 'Upstream is down until 14:00',
    submit: 'Pause',
  },
  showTest: 'Show test orders too',
  unknown: {
    causes: 'Unknown outcomes by cause',
    causesHint: 'Compare these orders with the bills of their upstreams. None of them is sent again.',
    resolvedOnes: 'Resolved',
    noneResolved: 'Nothing was resolved yet.',
    heads: { orders: 'Orders', price: 'Price', what: 'What', whose: 'Whose', when: 'When', actions: 'Actions' },
    at: (kind: string, engine: string) => `${kind} at ${engine}`,
    span: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
    resolveAll: (ids: number, orders: number) =>
      ids < orders
        ? `Note one finding for ${ids} of ${orders}`
        : ids === 1
          ? 'Note what was found'
          : `Note one finding for ${ids}`,
    resolveOf: (task: string) => `Note what was found about ${task}`,
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
    showResolved: 'Show resolved ones',
    testAdvice: 'A test key simulated this. No engine was called, so there is nothing to settle.',
    resolve: 'Note what was found',
    refund: 'Refund',
    refundOf: (task: string) => `Refund of ${task}`,
    notRefunded: 'The order was not refunded',
    resolveTitle: (count: number) => (count > 1 ? `What was found about these ${count} orders?` : 'What was found?'),
    resolveText: (count: number) =>
      `This removes ${count > 1 ? 'the entries' : 'the entry'} from the list. It changes no balance and no order.`,
    resolution: 'What was found',
    placeholder: 'Not in their records: nothing was made, nothing billed.',
    submit: 'Resolve',
    failed: 'The note was not saved',
    resolved: (when: string, what: string) => `Resolved ${when}: ${what}`,
  },
  failures: {
    causes: {
      title: 'Causes',
      hint: 'The failures of the last 24 hours, grouped by what the engine said; the most frequent first.',
      heads: { orders: 'Orders', cause: 'Cause', engine: 'Engine', advice: 'What to do', example: 'Latest' },
      more: (models: string) => `${models} and others`,
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
    hint: 'Webhook deliveries and the result of each attempt.',
    empty: 'No webhook has been sent.',
    status: 'Status',
    statuses: { all: 'All', ...webhookTexts.statuses },
  },
  models: {
    hint: 'Which engines make each model, and why a model is not live.',
    search: 'Search models and vendors',
    onlyNotLive: 'Only those that are not live',
    reload: 'Reload the catalog',
    reloaded: (models: number) => `Catalog reloaded: ${models} models.`,
    reloadFailed: 'The catalog was rejected; the current one stays in use',
    empty: 'No model matches.',
    more: 'Show more',
    live: 'Live',
    notLive: 'Test only',
    retired: 'Retired',
    heads: { model: 'Model', routes: 'Routes', state: 'State', actions: 'Actions' },
    configured: 'configured',
    notConfigured: 'not configured',
    gone: 'no longer listed by the upstream',
    ends: (moment: string) => `ends ${moment}`,
    noRoutes: 'None',
  },
} as const;
