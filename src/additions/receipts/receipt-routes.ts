import { refTo } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';
import { ErrorAnswer } from '../../http/answers.ts';
import { callerOf } from '../../http/authenticate.ts';
import { publishBudgets } from '../../http/budget-headers.ts';
import { envelopeOf, success } from '../../http/envelope.ts';
import type { App, HttpOptions } from '../../http/http-options.ts';
import { composeBatchReceipt, composeTaskReceipt } from './compose-receipts.ts';
import { listPublicKeys, openSigningKey, signDocument } from './receipt-keys.ts';
import { BatchReceipt, PublicKeySet, signedOf, TaskReceipt } from './receipt-wire.ts';

const tags = ['Receipts'];
const querystring = Type.Object({}, { additionalProperties: false });

/** Signed receipts of tasks and batches, for their owner. */
export function receiptRoutes(v1: App, { services, upstreamKeys: { vault } }: HttpOptions): void {
  const sign = async <Content extends object>(content: Content) =>
    success({ jws: signDocument(content, await openSigningKey(services, vault)), content });

  for (const type of ['image', 'video'] as const)
    v1.get<{ Params: { task_id: string } }>(
      `/v1/${type}s/:task_id/receipt`,
      { schema: { tags, querystring, response: { 200: envelopeOf(signedOf(TaskReceipt)), ...ErrorAnswer } } },
      async (request) => sign(await composeTaskReceipt(services, callerOf(request), type, request.params.task_id)),
    );

  v1.get<{ Params: { batch_id: string } }>(
    '/v1/batches/:batch_id/receipt',
    { schema: { tags, querystring, response: { 200: envelopeOf(signedOf(BatchReceipt)), ...ErrorAnswer } } },
    async (request, reply) => {
      const key = callerOf(request);
      publishBudgets(reply, services.budgets, key, ['reports']);
      // It reads up to 10,000 tasks.
      const share = await services.budgets.takeInTurn(key, 'reports', 1);
      try {
        return await sign(await composeBatchReceipt(services, key, request.params.batch_id));
      } finally {
        share.release();
      }
    },
  );
}

/** The keys that verify receipts, for everybody. */
export function publicKeyRoutes(app: App, { services }: HttpOptions): void {
  app.get(
    '/.well-known/jwks.json',
    { schema: { tags, security: [], querystring, response: { 200: refTo(PublicKeySet), ...ErrorAnswer } } },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300');
      return await listPublicKeys(services.database.read);
    },
  );
}
