/** A row of the table. The texts may use Markdown's `code` marks. */
interface ErrorRow {
  readonly status: number;
  readonly retryable: boolean;
  /** Explains the code. */
  readonly summary: string;
  /** Tells the caller what to do. */
  readonly remedy: string;
}

/** Every error code of the interface. `docs/errors.md` lists the same codes; a test compares them. */
export const ERROR_TABLE = {
  invalid_json: { status: 400, retryable: false, summary: 'The body is not valid JSON.', remedy: 'Fix the body.' },
  invalid_request: {
    status: 400,
    retryable: false,
    summary: 'A field, header or query parameter has the wrong type or format.',
    remedy: 'Fix the field in `param`. Numbers are not accepted as strings, nor strings as numbers.',
  },
  unsupported_field: {
    status: 400,
    retryable: false,
    summary: 'The model does not accept this field.',
    remedy: 'Remove it. The message lists the accepted fields.',
  },
  unsupported_value: {
    status: 400,
    retryable: false,
    summary: 'The model does not accept this value, or not in this combination.',
    remedy: "Use one of the values in the message. The model's `constraints` list valid combinations.",
  },
  missing_prompt: { status: 400, retryable: false, summary: 'The model needs a prompt.', remedy: 'Send `prompt`.' },
  missing_reference: {
    status: 400,
    retryable: false,
    summary: 'The model needs a reference image, video or sound.',
    remedy: "Send one of the fields in the message. The model's `required` lists the alternatives.",
  },
  prompt_too_long: {
    status: 400,
    retryable: false,
    summary: 'The prompt is longer than the model accepts.',
    remedy: "Shorten it. The model's `limits` gives the maximum.",
  },
  invalid_reference: {
    status: 400,
    retryable: false,
    summary: 'A reference cannot be used.',
    remedy: 'Check its URL, type and size. Private addresses are never fetched.',
  },
  unsupported_action: {
    status: 400,
    retryable: false,
    summary: 'The parent task does not offer this action.',
    remedy: "Use one of the parent's `available_actions`.",
  },
  missing_api_key: {
    status: 401,
    retryable: false,
    summary: 'The request has no API key.',
    remedy: 'Send `Authorization: Bearer <key>`.',
  },
  invalid_api_key: {
    status: 401,
    retryable: false,
    summary: 'The API key is unknown.',
    remedy: 'Compare the key character by character. Its checksum detects typing errors.',
  },
  expired_api_key: {
    status: 401,
    retryable: false,
    summary: 'The API key has expired.',
    remedy: 'Ask the operator for a new key.',
  },
  revoked_api_key: {
    status: 401,
    retryable: false,
    summary: 'The API key was revoked.',
    remedy: 'Ask the operator for a new key.',
  },
  insufficient_balance: {
    status: 402,
    retryable: false,
    summary: 'The account cannot pay for this order.',
    remedy: 'Credit the account. `details` has the amount needed and the amount available.',
  },
  spend_limit_reached: {
    status: 402,
    retryable: false,
    summary: 'The key has reached its spend limit.',
    remedy: 'Wait until the window resets (see `details`), or ask for a higher limit.',
  },
  end_user_limit_reached: {
    status: 402,
    retryable: false,
    summary: 'The `end_user` of the order has reached its limit.',
    remedy: 'Wait until the window resets (see `details`), or raise the limit with `PUT /v1/end_users/{end_user}`.',
  },
  model_not_allowed: {
    status: 403,
    retryable: false,
    summary: 'The key may not order this model.',
    remedy: 'Use a model from `GET /v1/models`.',
  },
  forbidden: {
    status: 403,
    retryable: false,
    summary: "The key has the wrong kind, or a file URL's signature is invalid or expired.",
    remedy: 'Use the right key. For files, get a new `url` from the task, or use `content_url` with the key.',
  },
  model_not_found: {
    status: 404,
    retryable: false,
    summary: 'The model does not exist.',
    remedy: 'See `GET /v1/models`. Order video models at `/v1/videos`.',
  },
  task_not_found: {
    status: 404,
    retryable: false,
    summary: 'This key has no such task.',
    remedy: 'Check the id and the key. Tasks of other keys are not visible.',
  },
  not_found: { status: 404, retryable: false, summary: 'Nothing exists at this URL.', remedy: 'Check the URL.' },
  method_not_allowed: {
    status: 405,
    retryable: false,
    summary: 'The URL does not accept this method.',
    remedy: 'Use a method from the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    summary: 'The client did not send the request in time.',
    remedy: 'Send it again.',
  },
  parent_not_ready: {
    status: 409,
    retryable: true,
    summary: 'The parent task, or a task named by a reference (`task:…`), is not final.',
    remedy: 'Wait until it succeeds, or send `wait_for_parent`.',
  },
  parent_not_usable: {
    status: 409,
    retryable: false,
    summary: 'The parent task failed, was canceled or was erased.',
    remedy: 'Order the parent again.',
  },
  not_cancelable: {
    status: 409,
    retryable: false,
    summary: 'The task cannot be canceled any more, or its engine cannot stop.',
    remedy: 'Let the task end. `can_cancel` tells you beforehand.',
  },
  not_refundable: {
    status: 409,
    retryable: false,
    summary: 'The task has no charge that could be given back, or the credit was taken back before.',
    remedy:
      'Only a task that succeeded and was charged can be refunded, and only once: see its `charged` and `refunded`. A credit is taken back once: see its `taken_back_at`.',
  },
  not_stuck: {
    status: 409,
    retryable: false,
    summary: 'The order is not at an upstream, so an operator can neither ask for it nor give it up.',
    remedy: 'Read its `standing`. An order that no upstream has can be canceled.',
  },
  orders_changed: {
    status: 409,
    retryable: false,
    summary: 'The deed would change another number of orders than `expected`.',
    remedy: 'Nothing was changed. Read the new number, look at the orders again, and confirm it.',
  },
  not_final: {
    status: 409,
    retryable: true,
    summary: 'The task is not final.',
    remedy: 'To read the output, wait until it succeeds. To delete the task, cancel it or wait.',
  },
  price_exceeded: {
    status: 409,
    retryable: false,
    summary: 'The price is higher than `max_price`.',
    remedy: 'Raise `max_price` or order less. Nothing was charged.',
  },
  storage_limit_reached: {
    status: 409,
    retryable: false,
    summary:
      'The input files (uploads, data URIs, fetched references) of the key, or of the end user of a client token, use all of their storage.',
    remedy:
      'Delete files or finished tasks, or wait until they expire. `GET /v1/account` shows `stored_bytes` and the limits.',
  },
  share_limit_reached: {
    status: 409,
    retryable: false,
    summary: 'The key has as many share links as it may have.',
    remedy: 'Revoke links that are no longer needed (`DELETE /v1/shares/{share_id}`), or wait until some expire.',
  },
  model_retired: {
    status: 410,
    retryable: false,
    summary: 'The model is no longer available.',
    remedy: 'Use the successor that the message names.',
  },
  task_expired: {
    status: 410,
    retryable: false,
    summary: 'The ended task was removed because of its age.',
    remedy: 'Order again, with a new Idempotency-Key. Usage, costs and the ledger still count the task.',
  },
  outputs_expired: {
    status: 410,
    retryable: false,
    summary: 'The files were erased.',
    remedy: "Order again. A task's `expires_at` says how long its files exist.",
  },
  body_too_large: {
    status: 413,
    retryable: false,
    summary: 'The body is too large.',
    remedy:
      'The message has its size and the limit. Upload media with `POST /v1/files` and reference them as `upload:<file_id>`.',
  },
  uri_too_long: { status: 414, retryable: false, summary: 'The URL is too long.', remedy: 'Shorten it.' },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    summary: 'The body has an unsupported content type, or is compressed.',
    remedy: 'Send `application/json`, or a file to an upload URL, without `Content-Encoding`.',
  },
  range_not_satisfiable: {
    status: 416,
    retryable: false,
    summary: 'The range is outside the file.',
    remedy: "Request a range within the file's length.",
  },
  expectation_failed: {
    status: 417,
    retryable: false,
    summary: 'The header `Expect` asks for something other than `100-continue`.',
    remedy: 'Omit the header.',
  },
  idempotency_key_reused: {
    status: 422,
    retryable: false,
    summary: 'The `Idempotency-Key` was used with another request.',
    remedy: 'Use a new key for a new order.',
  },
  model_not_offered: {
    status: 422,
    retryable: false,
    summary: 'The service does not make this model, or not with these values, by its settings.',
    remedy:
      'Use a model from `GET /v1/models`. `details` has the settings of which the operator lacks one, in `missing`.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    summary: 'The key exceeded its rate limit or one of its budgets.',
    remedy: 'Wait for `Retry-After`. The message names the limit; the `RateLimit` headers show the remaining amount.',
  },
  queue_full: {
    status: 429,
    retryable: true,
    summary: 'Too many tasks of this key are waiting.',
    remedy: 'Wait for `Retry-After`, until some tasks have started.',
  },
  headers_too_large: {
    status: 431,
    retryable: false,
    summary: 'The request headers are too large.',
    remedy: 'Send smaller headers.',
  },
  internal_error: {
    status: 500,
    retryable: false,
    summary: 'The service failed.',
    remedy: 'Send the operator the `request_id`. Repeat a create only with the `Idempotency-Key` that it carried.',
  },
  model_unavailable: {
    status: 503,
    retryable: true,
    summary: 'The model cannot be ordered now: it is paused, or its upstreams wait for the operator.',
    remedy: 'Retry after `Retry-After`, or use another model.',
  },
  service_unavailable: {
    status: 503,
    retryable: true,
    summary: 'The service cannot reach its database.',
    remedy: 'Retry after `Retry-After`, with the same `Idempotency-Key`.',
  },
  storage_full: {
    status: 503,
    retryable: true,
    summary: 'The service has no space for files.',
    remedy: 'Retry later. The operator must free space.',
  },
  shutting_down: { status: 503, retryable: true, summary: 'The service is stopping.', remedy: 'Retry in a moment.' },
} as const satisfies Record<string, ErrorRow>;
