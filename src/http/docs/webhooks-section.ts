const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const LIMIT_REACHED = 'A key or an end user has used 50, 80 or 100 % of a spend limit';
const OF_ORDERS = '`webhook_url` of the order or batch, or to the default webhook URL';

const event = (operationId: string, summary: string, schema: string, receiver = OF_ORDERS) => ({
  post: {
    operationId,
    tags: ['Webhooks'],
    summary,
    description: `Sent to ${receiver}. Verify the signature: HMAC-SHA256 over \`{webhook-id}.{webhook-timestamp}.{body}\` with the Base64-decoded part of the secret after \`whsec_\`. Answer 2xx within 10 seconds; otherwise the request is repeated, up to 8 attempts in all. Events may arrive twice: use \`webhook-id\` to ignore repetitions.`,
    security: [],
    parameters: [
      header('webhook-id', 'The id of the delivery, equal in every attempt.', 'whd_01kafx2r5gq3v8m1t0z6y4n7wd'),
      header('webhook-timestamp', 'When the request was sent, in seconds since 1970.', '1763640000'),
      header(
        'webhook-signature',
        'One signature for each valid secret, separated by spaces: `v1,` and Base64.',
        'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      ),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    },
    responses: {
      '2XX': { description: 'The event was accepted.' },
      '4XX': { description: 'The event was not accepted; it is sent again.' },
      '5XX': { description: 'The event was not accepted; it is sent again.' },
    },
  },
});

/** The requests that the service sends to customers, signed according to Standard Webhooks. */
export const WEBHOOKS = {
  taskEvent: event('onTaskEvent', 'A task became final or was refunded', 'WebhookEvent'),
  batchEvent: event('onBatchEvent', 'All tasks of a batch became final', 'BatchWebhookEvent'),
  budgetEvent: event('onBudgetEvent', LIMIT_REACHED, 'BudgetWebhookEvent', 'the default webhook URL'),
};

const ENDS: Readonly<
  Record<string, readonly [keyof typeof WEBHOOKS, summary: string, schema: string, field?: string]>
> = {
  createImage: ['taskEvent', 'The image task became final', 'WebhookEvent'],
  createImageAction: ['taskEvent', 'The follow-up task became final', 'WebhookEvent'],
  createVideo: ['taskEvent', 'The video task became final', 'WebhookEvent'],
  createBatch: ['batchEvent', 'All tasks of the batch became final', 'BatchWebhookEvent'],
  setWebhookUrl: ['budgetEvent', LIMIT_REACHED, 'BudgetWebhookEvent', 'url'],
};

/**
 * Returns the event that the URL in an operation's body receives; null if the operation takes none. It makes generators
 * such as oapi-codegen, which drop schemas that no path leads to, keep the events.
 */
export function callbacksOf(operationId: string): object | null {
  const end = ENDS[operationId];
  if (end === undefined) return null;
  const [name, summary, schema, field] = end;
  const url = `{$request.body#/${field ?? 'webhook_url'}}`;
  const receiver = field && `the \`${field}\` of this request`;
  return { [name]: { [url]: event(`${operationId}Event`, summary, schema, receiver) } };
}
