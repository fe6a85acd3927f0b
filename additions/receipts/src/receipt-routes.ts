import { ServiceError } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import { ErrorAnswer, envelopeOf, success } from '@darkroom-service/contract/schemas';
import type { Kernel, OrderingKey, ReportScope, ServingKernel } from '@darkroom-service/darkroom/kernel';
import { type App, Scope, scopeOf } from '@darkroom-service/darkroom/kernel-http';
import type { Static } from 'typebox';
import { composeBatchReceipt, composeTaskReceipt } from './compose-receipts.ts';
import { listPublicKeys, openSigningKey, signDocument } from './receipt-keys.ts';
import { BatchReceipt, PublicKeySet, signedOf, TaskReceipt } from './receipt-wire.ts';

const tags = ['Receipts'];
const querystring = closedObject({});
const ScopeQuery = closedObject({ scope: Scope });

/** Serves signed receipts of tasks and batches, for their owner. */
export function receiptRoutes(v1: App, kernel: ServingKernel): void {
  const { http, settings, store, tasks } = kernel;
  const sign = async <Content extends object>(content: Content) =>
    success({ jws: signDocument(content, await openSigningKey(kernel, settings.vault)), content });

  const ownerOf = async (key: OrderingKey, scope: ReportScope | undefined, what: 'order' | 'batch', id: string) => {
    // A caller that cannot order has no order of its own.
    const wanted = scope ?? (key.client?.person?.role === 'finance' ? 'account' : 'key');
    if (scopeOf(key, wanted) === 'key') return key;
    // A receipt repeats the order, and keys see no order of another key.
    if (key.client?.person === undefined)
      throw new ServiceError('forbidden', 'Only people who sign in get receipts of other keys. Omit scope.', {
        param: 'scope',
      });
    return await tasks.ownerInAccount(key, what, id);
  };

  for (const type of ['image', 'video'] as const)
    v1.get<{ Params: { task_id: string }; Querystring: Static<typeof ScopeQuery> }>(
      `/v1/${type}s/:task_id/receipt`,
      {
        schema: {
          tags,
          querystring: ScopeQuery,
          response: { 200: envelopeOf(signedOf(TaskReceipt)), ...ErrorAnswer },
        },
      },
      async (request) => {
        const { task_id: taskId } = request.params;
        const owner = await ownerOf(http.caller(request), request.query.scope, 'order', taskId);
        return await sign(await composeTaskReceipt(kernel, owner, type, taskId));
      },
    );

  v1.get<{ Params: { batch_id: string }; Querystring: Static<typeof ScopeQuery> }>(
    '/v1/batches/:batch_id/receipt',
    {
      schema: {
        tags,
        querystring: ScopeQuery,
        response: { 200: envelopeOf(signedOf(BatchReceipt)), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const key = http.caller(request);
      http.budgets(reply, key, ['reports']);
      // It reads up to 10,000 tasks.
      return await store.inTurn(key, async () => {
        const { batch_id: batchId } = request.params;
        const owner = await ownerOf(key, request.query.scope, 'batch', batchId);
        return await sign(await composeBatchReceipt(kernel, owner, batchId));
      });
    },
  );
}

/** Serves the keys that verify receipts, for everybody. */
export function publicKeyRoutes(app: App, { store }: Pick<Kernel, 'store'>): void {
  app.get(
    '/.well-known/jwks.json',
    { schema: { tags, security: [], querystring, response: { 200: refTo(PublicKeySet), ...ErrorAnswer } } },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300');
      return await listPublicKeys(store.read);
    },
  );
}
