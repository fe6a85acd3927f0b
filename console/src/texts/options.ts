import { translatedFirst } from './language.ts';

/** Texts of the options of every order. */
export const optionTexts = translatedFirst('options', {
  title: 'Options of the order',
  set: (count: number) => `${count} set`,
  labels: {
    maxPrice: 'Price limit',
    endUser: 'Your customer’s id',
    webhookUrl: 'Webhook URL',
    metadata: 'Metadata',
  },
  help: {
    maxPrice: 'An order that costs more is refused and not charged (max_price).',
    endUser: 'The customer the order is for. History and usage can be filtered by it (end_user).',
    webhookUrl: 'Notified when this order ends, instead of the account’s default URL (webhook_url).',
    metadata: 'Up to 16 notes of your own, returned with the order (metadata).',
  },
  placeholders: { maxPrice: '0.50', endUser: 'customer-1042', webhookUrl: 'https://' },
  limitFault: 'Enter an amount in dollars, such as 0.50',
  aboveLimit: (price: string, limit: string) => `It costs ${price}, more than the limit of ${limit}.`,
  withoutLimit: 'Remove the limit',
  nameMissing: 'A value needs a name.',
  nameTwice: 'Each name can be used only once.',
  pairs: {
    add: 'Add a note',
    name: (place: number) => `Name of note ${place}`,
    value: (place: number) => `Value of note ${place}`,
    remove: (place: number) => `Remove note ${place}`,
    namePlaceholder: 'name',
    valuePlaceholder: 'value',
  },
  simulate: {
    title: 'Simulate an outcome',
    hint: 'A test key can make an order fail, so that you can test how your program handles it.',
    outcome: 'Outcome',
    seconds: 'After seconds',
    outcomes: {
      succeeded: 'Succeeds',
      content_policy: 'Refused: content policy',
      upstream_error: 'Fails upstream',
      timeout: 'Times out',
      outcome_unknown: 'Outcome unknown',
      stuck: 'Never ends by itself',
      late: 'Arrives too late',
    } as Readonly<Record<string, string>>,
    off: 'No simulation',
    explain: 'Explain how the prompt was understood',
  },
} as const);
