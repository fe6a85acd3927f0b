import { Amount, amountOf } from '@darkroom-service/addition-common/http/key-fields';
import { closedObject, pageOf } from '@darkroom-service/contract/parts';
import {
  AdminAccount,
  AdminCredit,
  adminAction,
  adminSchema,
  Limit,
  success,
} from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';

const Credit = closedObject({ amount: Amount, note: Type.Optional(Type.String({ maxLength: 500 })) });
const CreditQuery = closedObject({
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'the last credit_id of the page before' })),
});

/** Serves credits of accounts. A wrong one is reverted as a whole. */
export function adminCreditRoutes(admin: App, { customers, http }: Pick<ServingKernel, 'customers' | 'http'>): void {
  admin.post<{ Params: { account_id: string }; Body: Static<typeof Credit> }>(
    '/admin/v1/accounts/:account_id/credit',
    { schema: { ...adminAction(AdminAccount, 201), body: Credit } },
    async (request, reply) => {
      const { account_id: accountId } = request.params;
      const amount = amountOf(request.body.amount);
      const note = request.body.note ?? null;
      const account = await http.once(request, reply, {
        fingerprint: customers.creditFingerprint(accountId, amount, note),
        make: (_binding, by) => customers.credit(by, accountId, { amount, note }),
        again: (credited) => customers.read(credited),
      });
      reply.code(201);
      return success(account, 201);
    },
  );

  admin.get(
    '/admin/v1/credits',
    { schema: { ...adminSchema(pageOf(AdminCredit)), querystring: CreditQuery } },
    async (request) => {
      const { limit = 20, after = null } = request.query;
      const { items, hasMore } = await customers.credits({ limit, after });
      return success({ items, limit, has_more: hasMore });
    },
  );

  admin.post<{ Params: { credit_id: string } }>(
    '/admin/v1/credits/:credit_id/take_back',
    { schema: adminAction(AdminCredit) },
    async (request, reply) => {
      const { credit_id: creditId } = request.params;
      const credit = await http.once(request, reply, {
        make: (_binding, by) => customers.takeBack(by, creditId),
        again: (id) => customers.readCredit(id),
      });
      return success(credit);
    },
  );
}
