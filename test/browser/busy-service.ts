import type { TestContext } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { enterWork } from '../../src/database/work.ts';
import { anyTable } from '../helpers/any-table.ts';
import { multiplyTask } from '../helpers/multiply-task.ts';
import type { TaskAnswer, TestService } from '../helpers/service.ts';
import { startSwiftService } from './swift-service.ts';

const DAY_MS = 86_400_000;
/** Some days are busier than others. */
const BUSIER_MS = 2 * DAY_MS;
const PROMPTS = [
  'A lighthouse on a cliff at dusk, waves below',
  'Snowy mountains above a lake, a red house with smoke from the chimney',
  'A city at night in the rain, neon lights, a full moon',
  'A fox in an autumn forest',
];

/**
 * A service that has been in use for a month: orders of every end, keys, accounts, and something for its operator to
 * look at.
 */
export interface BusyService extends TestService {
  readonly pictures: readonly TaskAnswer[];
  readonly film: TaskAnswer;
  readonly failed: TaskAnswer;
  /** A finished picture that a follow-up was made from, and the follow-up. */
  readonly grid: TaskAnswer;
  readonly upscaled: TaskAnswer;
  /** Its key sees the whole account. */
  readonly viewer: string;
}

export async function startBusyService(
  t: Pick<TestContext, 'after'>,
  options: Parameters<typeof startSwiftService>[1] = {},
): Promise<BusyService> {
  const service = await startSwiftService(t, options);
  const { call, make, database } = service;
  const { key: viewer } = await service.issueKey({
    mode: 'test',
    name: 'shop backend',
    accountView: true,
    createsPerMinute: 600,
    concurrency: 20,
    spendLimits: { day: 5_000_000, month: 200_000_000 },
  });
  const order = (path: string, body: object) => make(viewer, path, body);
  const grid = await order('/v1/images', { model_id: 'sketch-grid', prompt: PROMPTS[0] });
  const [upscaled, film, failed, ...pictures] = await Promise.all([
    order('/v1/images/actions', { parent_task_id: grid.task_id, action: 'upscale', index: 2 }),
    order('/v1/videos', {
      model_id: 'sketch-motion',
      prompt: 'A small boat crosses a calm bay at sunrise',
      duration: 1,
      resolution: '360p',
    }),
    order('/v1/images', { model_id: 'sketch', prompt: 'A castle', simulate: { outcome: 'content_policy' } }),
    ...PROMPTS.map((prompt) => order('/v1/images', { model_id: 'sketch', prompt, resolution: '0.5K' })),
  ]);
  await order('/v1/images', { model_id: 'flux-2-pro', prompt: 'A teapot', simulate: { outcome: 'outcome_unknown' } });
  const stuck = { model_id: 'sketch', prompt: 'A windmill by a canal', simulate: { outcome: 'stuck' } };
  await call(viewer, 'POST', '/v1/images', stuck);
  const { data: canceled } = await call(viewer, 'POST', '/v1/images', stuck);
  await call(viewer, 'POST', canceled.urls.cancel);

  const models = ['sketch', 'flux-2-pro', 'imagen-4', 'seedream-4'];
  for (const [place, picture] of pictures.entries()) {
    await multiplyTask(database, picture.task_id, {
      count: 160,
      everyMs: (29 * DAY_MS) / 160,
      change: (index, createdAt) => {
        const isFailed = (index * 7 + place) % 23 === 0;
        const orderedAt = Math.round(createdAt - (1 + Math.sin(index / 4 + place * 2)) * BUSIER_MS);
        return {
          id: createIdFactory(() => orderedAt)('img'),
          model_id: models[place] ?? 'sketch',
          created_at: orderedAt,
          completed_at: orderedAt + 1_000 * (2 + ((index * 13 + place * 5) % 17)),
          charged: isFailed ? 0 : 40_000 * (1 + ((index + place) % 3)),
          ...(isFailed
            ? {
                status: 'failed',
                outputs_json: '[]',
                error_json: JSON.stringify({ code: 'upstream_error', message: 'the upstream answered 502' }),
              }
            : {}),
        };
      },
    });
  }
  await fillOperations(service, failed.task_id);
  return { ...service, pictures, film, failed, grid, upscaled, viewer };
}

/** Writes down that an engine's upstream gets no orders for now, and waits until the service has read it. */
export async function openCircuit(
  { database, call, keys }: TestService,
  engine: string,
  fault: 'auth' | 'timeout' = 'auth',
): Promise<void> {
  const now = Date.now();
  await database.write('open_circuit', (trx) =>
    trx.run(
      trx.builder.insertInto('valves').values({
        subject: engine,
        kind: 'outage',
        fault,
        call: 'start',
        message: fault === 'auth' ? 'Invalid API key: it was revoked on 18 November.' : 'no answer within 30 s',
        times: 2,
        since: now - 420_000,
        retry_at: now + 2_400_000,
        trial_until: null,
      }),
    ),
  );
  await until(
    async () => (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items,
    (engines) => engines.some(({ name, circuit }) => name === engine && circuit.state === 'open'),
  );
}

/** Writes down what live orders earned and cost: those of two accounts, models and engines, one pair below cost. */
export async function fillCosts({ database }: TestService): Promise<void> {
  const settledAt = Date.now() - DAY_MS;
  const order = {
    account_id: 'acme',
    model_id: 'flux-2-pro',
    engine: 'fal',
    upstream_model: 'fal-ai/flux-2-pro',
    outcome: 'succeeded' as const,
    charged: 40_000,
    expected: 30_000,
    told: 30_000,
    told_units: null,
    settled_at: settledAt,
  };
  const film = { ...order, account_id: 'default', model_id: 'veo-3.1', engine: 'google', upstream_model: 'veo' };
  const orders = [
    ...Array.from({ length: 1_200 }, () => order),
    { ...order, told: 32_500 },
    { ...order, outcome: 'failed' as const, charged: 0 },
    { ...film, charged: 400_000, expected: 420_000, told: null },
    { ...film, charged: 400_000, expected: 420_000, told: 435_000 },
    { ...film, outcome: 'unknown' as const, charged: 0, expected: 420_000, told: null },
    { ...film, charged: 400_000, expected: null, told: null, told_units: '12' },
  ];
  await database.write('fill_costs', async (trx) => {
    for (const [index, values] of orders.entries())
      await trx.run(trx.builder.insertInto('task_costs').values({ ...values, task_id: `img_cost${index}` }));
  });
}

async function fillOperations(service: TestService, taskId: string): Promise<void> {
  const { call, keys, database } = service;
  await call(keys.admin, 'POST', '/admin/v1/accounts', { account_id: 'acme', name: 'Acme Pictures' });
  // Numbers of other programs can be long, and have no place to break.
  const note = 'INVOICE_2026_114_'.repeat(6);
  await call(keys.admin, 'POST', '/admin/v1/accounts/acme/credit', { amount: '250.00', note });
  await call(keys.admin, 'POST', '/admin/v1/keys', {
    mode: 'live',
    account_id: 'acme',
    name: 'acme web shop',
    models: ['flux-*', 'sketch'],
    rpm: 120,
    concurrency: 10,
    spend_limits: { day: '20', month: '300' },
  });
  await call(keys.admin, 'POST', '/admin/v1/models/flux-2-pro/pause', { reason: 'new prices from tomorrow' });
  const now = Date.now();
  await database.write('fill_operations', async (trx) => {
    for (const [index, status] of (['delivered', 'failed', 'pending'] as const).entries()) {
      // Ids sort by time, as those of the service do.
      const id = `whd_${9 - index}`;
      await trx.run(
        trx.builder.insertInto('webhook_deliveries').values({
          id,
          account_id: 'acme',
          api_key_id: 'key_0',
          task_id: taskId,
          type: 'task.failed',
          url: 'https://shop.example/hooks/darkroom',
          status,
          created_at: now - index * 60_000,
          delivered_at: status === 'delivered' ? now : null,
          mode: 'live',
        }),
      );
      if (status === 'pending') enterWork(trx, { kind: 'webhook', subject: id, owner: 'acme', now: now + 3_600_000 });
      await trx.run(
        trx.builder.insertInto('webhook_attempts').values({
          id: `wha_${index}`,
          delivery_id: id,
          started_at: now - index * 60_000,
          duration_ms: 120,
          response_status: status === 'delivered' ? 204 : 503,
          error: status === 'delivered' ? null : 'the receiver answered 503',
        }),
      );
    }
  });
}

/** Writes an open alert that the webhook was told of, and one that has ended. */
export async function openAlert({ database }: TestService): Promise<void> {
  const now = Date.now();
  const data = { alert_id: 'alr_2', kind: 'unknown_outcomes', subject: 'google' };
  // Observed by another process: this service's own check does not end it.
  const alert = { scope: 'elsewhere', seen_at: now, told_at: now };
  const message = { alert_id: 'alr_2', type: 'alert.began', data_json: JSON.stringify(data), created_at: now } as const;
  await database.write('open_alert', async (trx) => {
    await trx.run(
      anyTable(trx.builder)
        .insertInto('alerts')
        .values([
          {
            ...alert,
            id: 'alr_1',
            kind: 'circuit_open',
            subject: 'fal',
            began_at: now - DAY_MS,
            ended_at: now - DAY_MS / 2,
            summary: 'fal has received no orders since 2026-11-20T03:06:00.000Z (timeout: no answer within 30 s).',
          },
          {
            ...alert,
            id: 'alr_2',
            kind: 'unknown_outcomes',
            subject: 'google',
            began_at: now - 420_000,
            ended_at: null,
            summary: '2 live orders have an unknown outcome at google (0.30 USD).',
          },
        ]),
    );
    await trx.run(
      anyTable(trx.builder)
        .insertInto('alert_messages')
        .values({
          ...message,
          id: 'alm_1',
          receiver: 'alerts.example.com',
          attempts: 1,
          status: 'delivered',
          error: null,
          delivered_at: now,
        }),
    );
  });
}
