const TIME = '2026-11-20T09:30:00.000Z';
const LATER = '2026-11-20T09:30:04.210Z';
const EXPIRY = '2026-12-20T09:30:00.000Z';
const HOST = 'https://darkroom.example';
const ID = 'img_01kafx2r5gq3v8m1t0z6y4n7wd';
const SHA = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const LINE = { description: '1 image', unit: 'image', quantity: '1', unit_price: '0.01', amount: '0.01' };
const SIGNED = `${HOST}/files/tasks/01kafx2/${ID}-1-0.png?expires=1763726400000&signature=q8`;

const OUTPUT = {
  url: SIGNED,
  url_expires_at: EXPIRY,
  content_url: `${HOST}/v1/images/${ID}/content`,
  content_type: 'image/png',
  bytes: 482_113,
  width: 1024,
  height: 1024,
  duration_seconds: null,
  fps: null,
  has_audio: null,
  sha256: SHA,
  thumbnail_url: `${HOST}/files/tasks/01kafx2/${ID}-1-0-thumbnail.webp?expires=1763726400000&signature=x1`,
  preview_url: null,
  provenance: { state: 'marked', standard: 'metadata' },
  tiles: null,
  seed: 7,
  revised_prompt: null,
};

const TASK = {
  task_id: ID,
  type: 'image',
  status: 'succeeded',
  progress: 100,
  queue_position: null,
  estimated_seconds: null,
  revision: 5,
  model_id: 'sketch',
  action: null,
  parent_task_id: null,
  batch_id: null,
  batch_name: null,
  input: { model_id: 'sketch', prompt: 'a red fox in the snow', resolution: '1K', aspect_ratio: '1:1', seed: 7 },
  outputs: [OUTPUT],
  error: null,
  cost: { state: 'charged', amount: '0.01', quoted: '0.01', currency: 'USD', basis: 'list', lines: [LINE] },
  available_actions: [],
  can_cancel: false,
  cancel_requested_at: null,
  end_user: 'customer-17',
  metadata: { order: '4711' },
  mode: 'live',
  created_at: TIME,
  started_at: TIME,
  completed_at: LATER,
  deadline_at: '2026-11-20T10:30:00.000Z',
  expires_at: EXPIRY,
  urls: {
    self: `${HOST}/v1/images/${ID}`,
    cancel: `${HOST}/v1/images/${ID}/cancel`,
    events: `${HOST}/v1/images/${ID}/events?expires=1763640600000&signature=Zm`,
  },
};

const BUDGET = {
  key_id: 'key_01kafx2r5gq3v8m1t0z6y4n7pb',
  end_user: 'customer-17',
  mode: 'live',
  window: 'day',
  period: '2026-11-20',
  limit: '1.00',
  used: '0.82',
  currency: 'USD',
  share: 80,
  created_at: LATER,
};

const BATCH = {
  batch_id: 'bat_01kafx2r5gq3v8m1t0z6y4n7wd',
  status: 'partial',
  orders: 500,
  counts: { queued: 0, processing: 0, succeeded: 499, failed: 1, canceled: 0 },
  cost: { quoted: '5.00', charged: '4.99', held: '0.00', currency: 'USD' },
  max_parallel: 10,
  metadata: { catalogue: 'spring' },
  mode: 'live',
  created_at: TIME,
  cancel_requested_at: null,
  completed_at: LATER,
  urls: Object.fromEntries(
    ['self', 'tasks', 'results', 'events', 'cancel'].map((name) => [
      name,
      `${HOST}/v1/batches/bat_01kafx2r5gq3v8m1t0z6y4n7wd${name === 'self' ? '' : `/${name}`}`,
    ]),
  ),
};

/** Examples of answers, by the name of their component. A test validates each of them. */
export const ANSWER_EXAMPLES: Readonly<Record<string, object>> = {
  PriceLine: LINE,
  Output: OUTPUT,
  Task: TASK,
  DeletedTask: { task_id: ID, status: 'succeeded', deleted_at: LATER },
  TaskDelay: {
    code: 'upstream_away',
    message: 'The upstream fails.',
    ends_when: 'the upstream works again',
    upstream: 'fal',
    since: TIME,
    retry_at: LATER,
  },
  TaskError: {
    code: 'content_policy',
    message: 'The upstream refused the prompt.',
    retry: 'never',
    charged: false,
  },
  Quote: {
    model_id: 'sketch',
    type: 'image',
    action: null,
    currency: 'USD',
    amount: '0.01',
    exact: true,
    basis: 'list',
    lines: [LINE],
    upstream_key: false,
    refusal: null,
    input: { model_id: 'sketch', prompt: 'a red fox in the snow', resolution: '1K', aspect_ratio: '1:1' },
  },
  File: {
    file_id: 'file_01kafx3c8dpv6r2y9s5h4b7n0k',
    url: `${HOST}/files/uploads/0k/file_01kafx3c8dpv6r2y9s5h4b7n0k?expires=1763726400000&signature=Hw`,
    url_expires_at: EXPIRY,
    content_type: 'image/png',
    bytes: 120_394,
    width: 1024,
    height: 768,
    duration_seconds: null,
    sha256: SHA,
    end_user: null,
    created_at: TIME,
    expires_at: EXPIRY,
  },
  OutputDelivery: {
    output: 1,
    state: 'delivered',
    destination: 'archive',
    key: `2026-11-20/${ID}-1.png`,
    url: null,
    attempts: 1,
    reason: null,
    etag: '"5d41402abc4b2a76b9719d911017c592"',
    delivered_at: LATER,
  },
  UpstreamKey: {
    engine: 'fal',
    upstream_key_id: 'upk_01kafx3d1vq9w5r2y8s6h4b7n3',
    last_four: '9f2c',
    set_by: 'key_01kafx1a2bq4w6r8y0s3h5b7n9',
    set_at: TIME,
    problem: null,
  },
  ClientToken: { token: 'dk_client_eyJrZXlJZCI6ImtleV8wMWth….q8Zt', expires_at: LATER },
  EndUser: {
    end_user: 'customer-17',
    mode: 'live',
    currency: 'USD',
    limits: { day: '1.00', month: '20.00', total: null },
    windows: {
      day: { limit: '1.00', charged: '0.04', held: '0.01', available: '0.95', resets_at: '2026-11-21T00:00:00.000Z' },
      month: {
        limit: '20.00',
        charged: '3.20',
        held: '0.01',
        available: '16.79',
        resets_at: '2026-12-01T00:00:00.000Z',
      },
      total: { limit: null, charged: '41.00', held: '0.01', available: null, resets_at: null },
    },
  },
  Batch: BATCH,
  BatchWebhookEvent: { type: 'batch.partial', timestamp: LATER, data: BATCH },
  BudgetNotice: BUDGET,
  BudgetWebhookEvent: { type: 'budget.reached', timestamp: LATER, data: BUDGET },
  WebhookEvent: { type: 'task.succeeded', timestamp: LATER, data: TASK },
  LedgerEntry: {
    entry_id: `${ID}_charge`,
    kind: 'charge',
    amount: '-0.01',
    currency: 'USD',
    task_id: ID,
    batch_id: null,
    corrects: null,
    note: null,
    created_at: LATER,
  },
  Error: {
    error: {
      status: 400,
      code: 'unsupported_value',
      message: 'resolution must be one of "0.5K", "1K", "2K", "4K"; found "9K".',
      param: 'resolution',
      details: [
        {
          param: 'resolution',
          code: 'unsupported_value',
          message: 'resolution must be one of "0.5K", "1K", "2K", "4K"; found "9K".',
        },
      ],
      retryable: false,
      request_id: 'req_7d1f0c5be2a94e63000001',
      docs_url: `${HOST}/docs#error-unsupported_value`,
    },
    timestamp: TIME,
  },
};

const image = { model_id: 'sketch', prompt: 'a red fox in the snow', aspect_ratio: '1:1', resolution: '1K', seed: 7 };
const video = { model_id: 'sketch-motion', prompt: 'a red fox runs through the snow', duration: 5 };
const SEVERAL_MODELS = {
  model_id: 'sketch',
  prompt: 'a red fox in the snow',
  fallback_models: ['sketch-grid'],
  fallback_on_content_policy: true,
};
const DEARER = { ...image, max_price: '0.50', allow_dearer: true };

/** Examples of request bodies, by operation id. A test validates each of them, and asks the price of every order. */
export const BODY_EXAMPLES: Readonly<Record<string, Readonly<Record<string, { summary: string; value: object }>>>> = {
  createImage: {
    prompt: { summary: 'An image from a prompt', value: image },
    roles: {
      summary: 'An image after a reference, in the style of another',
      value: {
        ...image,
        image_urls: ['https://example.com/fox.png', 'https://example.com/ink.png'],
        image_roles: ['reference', 'style'],
      },
    },
    models: {
      summary: 'An image that a second model makes if no upstream takes it for the first',
      value: SEVERAL_MODELS,
    },
    dearer: {
      summary: 'An image that a dearer upstream may make, for at most 50 cents',
      value: DEARER,
    },
    simulated: {
      summary: 'A failure, with a test key',
      value: { ...image, simulate: { outcome: 'content_policy', seconds: 1 } },
    },
  },
  createVideo: { prompt: { summary: 'A video from a prompt', value: video } },
  createImageAction: {
    upscale: {
      summary: 'A tile of a grid as a single image',
      value: { parent_task_id: ID, action: 'upscale', index: 2 },
    },
  },
  quotePrice: {
    image: { summary: 'An image', value: image },
    models: { summary: 'An image with a second model', value: SEVERAL_MODELS },
    dearer: { summary: 'An image, with dearer upstreams up to 50 cents', value: DEARER },
    video: { summary: 'A video', value: video },
  },
  adminCreateAccount: {
    account: { summary: 'A customer', value: { account_id: 'acme', name: 'Acme', credit_limit: '50.00' } },
  },
  adminCreditAccount: { credit: { summary: 'A payment', value: { amount: '25.00', note: 'invoice 2026-118' } } },
  adminIssueKey: {
    key: {
      summary: 'A live key with a daily limit',
      value: { mode: 'live', account_id: 'acme', spend_limits: { day: '10.00' } },
    },
  },
};
