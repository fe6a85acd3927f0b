import type { ErrorCode } from '@darkroom-service/contract';

interface ErrorExample {
  /** Cause of the error, in Markdown with `code` marks only. */
  readonly cause: string;
  readonly message: string;
  readonly param?: string;
  /** Facts besides the fault itself. */
  readonly details?: readonly object[];
  readonly headers?: readonly string[];
}

const BEARER = ['WWW-Authenticate: Bearer'];

/** Cause and an example of each error. A test compares the examples with the service's answers. */
export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, ErrorExample>> = {
  invalid_json: {
    cause: 'It is cut off, has a syntax error, or is not UTF-8.',
    message: 'The body is not valid JSON: it ends after 12 bytes, inside a string, an object or an array.',
  },
  invalid_request: {
    cause: 'For example, a number stands where a string is expected, or a required field is missing.',
    param: 'model_id',
    message: 'model_id: expected the id of a model, such as "sketch", found 7. GET /v1/models lists them.',
  },
  unsupported_field: {
    cause: 'Fields differ from model to model, and a misspelled field would otherwise be ignored.',
    param: 'camera',
    message:
      "sketch does not accept 'camera'. Accepted fields: prompt, num_images, negative_prompt, image_urls, style_image_urls, resolution, aspect_ratio, size, style, output_format, seed.",
  },
  unsupported_value: {
    cause: 'Models differ in sizes, lengths and options, and some options exclude each other.',
    param: 'resolution',
    message: 'resolution must be one of "0.5K", "1K", "2K", "4K"; found "9K".',
  },
  missing_prompt: {
    cause: 'This model does not work from references alone.',
    param: 'prompt',
    message: 'sketch requires prompt, which is missing or empty. Send prompt, or image_urls.',
  },
  missing_reference: {
    cause: 'It cannot work from a prompt alone.',
    param: 'image_urls',
    message: 'runway-gen4-turbo requires image_urls, which is missing or empty. Send image_urls, or first_frame_url.',
  },
  prompt_too_long: {
    cause: "The limit is the upstream's, or the service's own limit of 10,000 characters.",
    param: 'prompt',
    message: 'prompt has 10001 characters; the maximum is 10000. Shorten it.',
  },
  invalid_reference: {
    cause:
      'Its URL is not accepted, its content has the wrong type or size, or the file or task does not exist for this key.',
    param: 'image_urls[0]',
    message:
      'image_urls[0] must be an http(s) URL, a data URI, upload:<file_id> or task:<task_id>; found "ftp://example.com/a.png".',
  },
  unsupported_action: {
    cause: "Actions depend on the parent's model, and on whether its output is a grid or an image.",
    param: 'action',
    message: 'The parent task does not offer "fly". Available actions: upscale, variation, reroll, remix.',
  },
  missing_api_key: {
    cause: 'The header `Authorization` is missing or does not start with `Bearer`.',
    headers: BEARER,
    message: "Send your API key in the header 'Authorization: Bearer <key>'.",
  },
  invalid_api_key: {
    cause: 'It was mistyped, cut off, or belongs to another service.',
    headers: BEARER,
    message: 'The API key is invalid: its checksum is wrong. Copy the whole key again (dk_live_… or dk_test_…).',
  },
  expired_api_key: {
    cause: 'The operator issued it with an expiry date.',
    headers: BEARER,
    message: "The API key 'live' expired at 2026-11-01T00:00:00.000Z. Ask the operator for a new key.",
  },
  revoked_api_key: {
    cause: 'The operator revoked it, or the old secret ended some time after a rotation.',
    headers: BEARER,
    message: "The API key 'live' was revoked. Ask the operator for a new key.",
  },
  insufficient_balance: {
    cause: 'An order is accepted only if the balance and the credit limit cover its price. Running orders hold theirs.',
    details: [{ needed: '0.005', available: '0.00', currency: 'USD' }],
    message: 'This costs 0.005 USD, but only 0.00 USD are available. Credit the account or order something cheaper.',
  },
  spend_limit_reached: {
    cause: 'The limit counts charges and holds in a day, a month, or in total.',
    details: [
      { limit: '0.000001', window: 'total', needed: '0.005', available: '0.000001', resets_at: null, currency: 'USD' },
    ],
    message:
      'This costs 0.005 USD, but the API key can spend only 0.000001 USD more of its 0.000001 USD in total. Ask the operator for a higher limit.',
  },
  end_user_limit_reached: {
    cause: 'The limit counts charges and holds of the end user in a day, a month, or in total.',
    param: 'end_user',
    details: [
      {
        end_user: 'customer-17',
        limit: '0.00',
        window: 'total',
        needed: '0.005',
        available: '0.00',
        resets_at: null,
        currency: 'USD',
      },
    ],
    message:
      "The end user 'customer-17' needs 0.005 USD for this, but can spend only 0.00 USD more of its 0.00 USD in total. Raise the limit with PUT /v1/end_users/{end_user}.",
  },
  model_not_allowed: {
    cause: 'The operator limited the key to certain models.',
    param: 'model_id',
    message: 'This API key cannot order sketch. It can order: flux-*.',
  },
  forbidden: {
    cause: 'For example, an admin key orders, or an ordering key calls `/admin/v1`.',
    message: 'An admin key works only under /admin/v1. Order and read tasks with a live or test key.',
  },
  model_not_found: {
    cause: 'The id is misspelled, the model is hidden from the account, or the endpoint is for the other type.',
    param: 'model_id',
    message: "There is no model 'nothing-at-all'. GET /v1/models lists the models that you can order.",
  },
  task_not_found: {
    cause: 'The task belongs to another key, was deleted, or has the other type.',
    param: 'task_id',
    message: "This API key has no image task 'img_01m7x9f5mx000023634ddm3w9h'.",
  },
  task_expired: {
    cause: 'The task ended more than `DARKROOM_TASK_DAYS` days ago, or the Idempotency-Key belongs to such a task.',
    param: 'task_id',
    message: "The task 'img_01dxgfr5mx000023634ddm3w9h' was removed because of its age. Its ledger entries remain.",
  },
  not_found: {
    cause: 'The path is misspelled, ends with a slash, or names a file, delivery or account that does not exist.',
    message: 'Nothing exists at /v1/nowhere. See /docs for all endpoints.',
  },
  method_not_allowed: {
    cause: 'The path exists, but for other methods.',
    headers: ['Allow: GET, HEAD, POST'],
    message: '/v1/images does not accept PUT. Accepted methods: GET, HEAD, POST.',
  },
  request_timeout: {
    cause: 'Headers must arrive within 30 seconds, a whole request within 5 minutes.',
    message: 'The request did not arrive in time. Send it again.',
  },
  parent_not_ready: {
    cause: 'It still waits or runs, so its output does not exist yet.',
    param: 'parent_task_id',
    headers: ['Retry-After: 2'],
    message: 'The parent task is queued. Wait until it succeeds.',
  },
  parent_not_usable: {
    cause: 'It has no output to work from.',
    param: 'parent_task_id',
    message: 'The parent task cannot be used: it failed. Use a task that succeeded.',
  },
  not_cancelable: {
    cause: 'A final status never changes, and some upstreams cannot stop a running job.',
    param: 'task_id',
    message: 'The task img_01m7x9f5mx000023634ddm3w9h cannot be canceled: it has succeeded.',
  },
  orders_changed: {
    cause: 'An operator cancels seven orders, and one of them has ended meanwhile.',
    message: 'This would change 6 orders, not 7. Nothing was changed. Look at them again and send `expected`: 6.',
    param: 'expected',
  },
  not_stuck: {
    cause: 'An operator gave up an order that still waits in the queue.',
    message:
      'Nothing was changed about the task img_01m7x9f5mx000023634ddm3w9h: it has ended: its status is succeeded.',
    param: 'task_id',
  },
  not_refundable: {
    cause: 'It was never charged, or its whole charge was given back already.',
    param: 'task_id',
    message: 'The task img_01m7x9f5mx000023634ddm3w9h cannot be refunded: its status is queued.',
  },
  not_final: {
    cause: 'It still waits or runs.',
    param: 'task_id',
    message: 'The task img_01m7x9f5mx000023634ddm3w9h is queued. Cancel it first, or wait until it is final.',
  },
  price_exceeded: {
    cause: 'The order carried `max_price` as a safeguard.',
    param: 'max_price',
    details: [{ price: '0.005', max_price: '0.000001', currency: 'USD' }],
    message:
      'This costs 0.005 USD, more than max_price (0.000001). Nothing was charged. Raise max_price or order less.',
  },
  storage_limit_reached: {
    cause: 'Each key has a limit for the input files that it stores.',
    details: [{ stored_bytes: 9998000000, limit_bytes: 10000000000, needed_bytes: 5000000 }],
    message:
      'The input files of this API key use 9998000000 of 10000000000 bytes; 5000000 more bytes do not fit. Delete files or finished tasks, or wait until they expire.',
  },
  share_limit_reached: {
    cause: 'Each key may have 1,000 share links that have not expired.',
    message: 'This API key has 1000 share links, the maximum. Revoke some, or wait until they expire.',
  },
  model_retired: {
    cause: 'Its vendor or the operator no longer offers it.',
    param: 'model_id',
    details: [{ replaced_by: 'sketch' }],
    message: 'old-one is no longer available. Use sketch instead.',
  },
  outputs_expired: {
    cause: 'Files are kept for a limited time, and deleting a task erases its files.',
    message: 'The file was erased because it expired or was deleted.',
  },
  body_too_large: {
    cause: 'JSON bodies and uploads have limits, and media in `data:` URIs count in the body.',
    message:
      'The body has 41000000 bytes; the limit is 33554432 bytes (setting DARKROOM_MAX_BODY_MB). Upload media with POST /v1/files and reference them as upload:<file_id>.',
  },
  expectation_failed: {
    cause: 'The service meets only the expectation `100-continue`.',
    param: 'Expect',
    message: "The header Expect has the expectation 'foo', which is not met. Omit it, or send 100-continue.",
  },
  uri_too_long: {
    cause: 'A URL has at most 8,000 characters.',
    message: 'The URL is longer than 8000 characters. Shorten it.',
  },
  unsupported_media_type: {
    cause: 'The service reads JSON, and files at the upload URL.',
    message:
      'The Content-Type of the body is not accepted. Send application/json; an address that takes files also takes multipart/form-data.',
  },
  range_not_satisfiable: {
    cause: 'The header `Range` starts after the last byte.',
    headers: ['Content-Range: bytes */81234'],
    message: "The range 'bytes=99999999-' is outside the file, which has 81234 bytes.",
  },
  idempotency_key_reused: {
    cause: 'A key names one order: the same path and the same body.',
    param: 'Idempotency-Key',
    message:
      'This Idempotency-Key was used with another body or path. Repeat the original request to get its task, or send a new key for a new order.',
  },
  model_not_offered: {
    cause: 'No engine that makes it is set up, its upstream has ended it, or each one costs more than its price.',
    param: 'model_id',
    message:
      'house-style is not offered here: no engine that makes it is set up (missing: FAL_KEY). Use a test key, or a model from GET /v1/models.',
    details: [{ missing: ['FAL_KEY'] }],
  },
  rate_limited: {
    cause: 'The operator limits requests per minute, and what a key uses at one time.',
    headers: ['Retry-After: 60'],
    message: 'This API key can send 60 creates per minute. Retry in 12 s.',
  },
  queue_full: {
    cause: 'A key may run and queue a limited number of tasks.',
    headers: ['Retry-After: 5'],
    message: '10000 tasks of this API key are waiting; the limit is 10000. Retry when some have started.',
  },
  headers_too_large: {
    cause: 'All headers together may have 16 KB; large cookies are a common reason.',
    message: 'The request headers exceed 16 KB in total. Send fewer or shorter headers.',
  },
  internal_error: {
    cause: 'This is a fault of the service, not of your request.',
    message: 'The service failed. If it fails again, send the operator the request_id.',
  },
  model_unavailable: {
    cause: 'Prices and the catalog still show it.',
    param: 'model_id',
    headers: ['Retry-After: 30'],
    message: 'The operator paused flux-2-pro. Retry later.',
  },
  service_unavailable: {
    cause: 'The database is down, restarting, or cannot be reached over the network.',
    headers: ['Retry-After: 5'],
    message: 'The database is not available now; the request had no effect. Retry later.',
  },
  storage_full: {
    cause: 'The disk or the bucket is full.',
    headers: ['Retry-After: 60'],
    message: 'The service cannot store anything now; the request had no effect. Retry later.',
  },
  shutting_down: {
    cause: 'It restarts, for example for an update.',
    headers: ['Retry-After: 5'],
    message: 'The service is stopping and accepts no orders. Retry in a moment.',
  },
};
