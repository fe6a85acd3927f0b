import type { Operation } from '../../kernel-http.ts';

/** The documentation of the operations of webhooks, by method and path. */
export const WEBHOOK_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/account/webhooks': {
    roles: 'set_up',
    id: 'getWebhookUrl',
    summary: 'Get the default webhook URL',
    description: 'Live and test keys have separate URLs.',
  },
  'PUT /v1/account/webhooks': {
    roles: 'set_up',
    id: 'setWebhookUrl',
    summary: 'Set the default webhook URL',
    description: 'Used by orders without `webhook_url`. Needs a key with access to the whole account.',
    examples: { url: { summary: 'A receiver', value: { url: 'https://shop.example/webhooks/darkroom' } } },
  },
  'POST /v1/account/webhooks/test': {
    roles: 'set_up',
    id: 'testWebhook',
    summary: 'Send a test webhook',
    description:
      'Sends one signed event of the type `webhook.test` and returns what the receiver answered. It is not repeated by itself. Counts as a create against the rate limit.',
  },
  'GET /v1/account/webhooks/secret': {
    roles: 'set_up',
    id: 'getWebhookSecrets',
    summary: 'Get the secrets that sign webhooks',
    description: 'Live and test keys have separate secrets. The first request creates one.',
  },
  'POST /v1/account/webhooks/secret/rotate': {
    roles: 'set_up',
    id: 'rotateWebhookSecret',
    summary: 'Rotate the webhook secret',
    description: 'For 24 hours webhooks are signed with both secrets. Needs a key with access to the whole account.',
  },
  'GET /v1/account/webhooks/deliveries': {
    roles: 'order',
    id: 'listWebhookDeliveries',
    summary: 'List webhook deliveries',
    description: 'Newest first, with every attempt. Page with `after`, the delivery_id of the last one.',
  },
  'POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver': {
    roles: 'set_up',
    id: 'redeliverWebhook',
    summary: 'Deliver a webhook again',
    description: 'Sends the task as it is now, with the same webhook-id.',
    errors: ['not_found'],
  },
  'GET /admin/v1/webhooks/deliveries': {
    roles: 'observe',
    id: 'adminListWebhookDeliveries',
    summary: 'List webhook deliveries of every account',
    description: 'Newest first, with every attempt.',
  },
  'POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver': {
    roles: 'run',
    id: 'adminRedeliverWebhook',
    summary: 'Deliver a webhook again',
    description: 'Sends the task as it is now, with the same webhook-id.',
    errors: ['not_found'],
  },
};
