import { ANY, JUDGING, type Operation, ORDERING } from './operation.ts';

const TASK = ['task_not_found', 'task_expired'] as const;
const CONTENT = [...TASK, 'not_found', 'not_final', 'outputs_expired', 'range_not_satisfiable'] as const;

/** The operations of customers, by method and path. */
export const CUSTOMER_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/catalog': {
    roles: 'read_public',
    id: 'getCatalog',
    summary: 'List all public models at default prices',
    description: 'Needs no API key. Send the ETag of an earlier answer as If-None-Match to get 304 if nothing changed.',
    errors: [...ANY, 'invalid_request', 'unsupported_field', 'rate_limited'],
  },
  'GET /v1/models': {
    roles: 'see_account',
    id: 'listModels',
    summary: 'List the models that your key can order',
    description: 'The prices are those of your account. Models that cannot be ordered now are left out.',
  },
  'GET /v1/models/{model_id}': {
    roles: 'see_account',
    id: 'getModel',
    summary: 'Get a model and the JSON Schema of its create body',
    description: 'Accepts the id of a model or one of its aliases.',
    errors: ['model_not_found', 'model_not_allowed', 'model_retired'],
  },
  'POST /v1/prices': {
    roles: 'order',
    id: 'quotePrice',
    summary: 'Calculate the price of an order',
    description:
      'Send the body of a create, or with `action` the body of a follow-up action. The prompt and the media may be left out. Nothing is ordered or charged.',
    errors: [...JUDGING, 'task_not_found', 'parent_not_usable'],
  },
  'POST /v1/prices/compare': {
    roles: 'order',
    id: 'comparePrices',
    summary: 'Calculate the prices of several orders, and which could be made now',
    description:
      'Send up to 200 bodies of creates, such as one order at several models. Each is judged by itself, so one that is not valid refuses no other. Nothing is ordered or charged.',
    errors: ['invalid_request', 'unsupported_field'],
  },
  'POST /v1/images': {
    roles: 'order',
    id: 'createImage',
    summary: 'Order an image',
    description:
      'Creates a task and holds its price. The answer does not wait for the image unless `Prefer: wait=N` is sent. Send an Idempotency-Key to repeat the request without a second charge.',
    errors: ORDERING,
  },
  'GET /v1/images': {
    roles: 'see_own_orders',
    id: 'listImages',
    summary: 'List the image tasks of your key',
    description:
      'Newest first. Page with `after`, the task_id of the last task of the page before. With `search`, only tasks with these words in their prompt or model_id; page with `next_after`.',
  },
  'GET /v1/images/{task_id}': {
    roles: 'see_own_orders',
    id: 'getImage',
    summary: 'Get an image task',
    description:
      'Waits until the task is final if `Prefer: wait=N` is sent. Retry-After says when to ask again. The ETag of a final task makes a 304 possible.',
    errors: TASK,
  },
  'POST /v1/images/{task_id}/cancel': {
    roles: 'order',
    id: 'cancelImage',
    summary: 'Cancel an image task',
    description: 'Releases the held price once the task is canceled. Repeating the request is not an error.',
    errors: [...TASK, 'not_cancelable'],
  },
  'GET /v1/images/{task_id}/content': {
    roles: 'see_own_orders',
    id: 'getImageContent',
    summary: 'Download the image of a task',
    description: 'Answers with the file, or redirects to the storage. Supports Range and If-None-Match.',
    errors: CONTENT,
  },
  'POST /v1/images/actions': {
    roles: 'order',
    id: 'createImageAction',
    summary: 'Order a follow-up action on an image task',
    description:
      'The parent task must have succeeded; its `available_actions` list the actions, their prices and their fields.',
    errors: [...ORDERING, 'task_not_found', 'parent_not_usable'],
  },
  'POST /v1/videos': {
    roles: 'order',
    id: 'createVideo',
    summary: 'Order a video',
    description:
      'Creates a task and holds its price. The answer does not wait for the video unless `Prefer: wait=N` is sent. Send an Idempotency-Key to repeat the request without a second charge.',
    errors: ORDERING,
  },
  'GET /v1/videos': {
    roles: 'see_own_orders',
    id: 'listVideos',
    summary: 'List the video tasks of your key',
    description:
      'Newest first. Page with `after`, the task_id of the last task of the page before. With `search`, only tasks with these words in their prompt or model_id; page with `next_after`.',
  },
  'GET /v1/videos/{task_id}': {
    roles: 'see_own_orders',
    id: 'getVideo',
    summary: 'Get a video task',
    description:
      'Waits until the task is final if `Prefer: wait=N` is sent. Retry-After says when to ask again. The ETag of a final task makes a 304 possible.',
    errors: TASK,
  },
  'POST /v1/videos/{task_id}/cancel': {
    roles: 'order',
    id: 'cancelVideo',
    summary: 'Cancel a video task',
    description: 'Releases the held price once the task is canceled. Repeating the request is not an error.',
    errors: [...TASK, 'not_cancelable'],
  },
  'GET /v1/videos/{task_id}/content': {
    roles: 'see_own_orders',
    id: 'getVideoContent',
    summary: 'Download the video of a task',
    description: 'Answers with the file, or redirects to the storage. Supports Range and If-None-Match.',
    errors: CONTENT,
  },
  'GET /files/{file}': {
    roles: 'read_public',
    id: 'downloadFile',
    summary: 'Download a file by its signed URL',
    description:
      'Needs no API key: the signature in the URL is the permission. Answers contain such URLs ready to use. If the answer is `public`, a cache in front may still return the file for its `max-age` after it was deleted or its key was revoked.',
    errors: [
      ...ANY,
      'invalid_request',
      'unsupported_field',
      'forbidden',
      'not_found',
      'outputs_expired',
      'range_not_satisfiable',
    ],
  },
  'GET /v1/account': {
    roles: 'see_account',
    id: 'getAccount',
    summary: 'Get the balance and the limits of your key',
    description: 'Test keys have a balance of their own.',
  },
  'GET /v1/account/ledger': {
    roles: 'see_spending',
    id: 'listLedger',
    summary: 'List the movements of money',
    description: 'Newest first. Page with `after`, the entry_id of the last entry of the page before.',
  },
};
