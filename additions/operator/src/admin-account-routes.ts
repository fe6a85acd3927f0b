import { Amount, amountOf } from '@darkroom-service/addition-common/http/key-fields';
import { given } from '@darkroom-service/contract';
import { closedObject, pageOf, Word } from '@darkroom-service/contract/parts';
import { AdminAccount, adminAction, adminSchema, Limit, success } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';

const CreditLimit = Type.Optional(
  Type.Union([Amount, Type.Null()], {
    description: 'dollars as a decimal string, or null for an account that pays later',
  }),
);

const Pattern = Type.String({ maxLength: 200 });
const NewAccount = closedObject({
  account_id: Type.Optional(Word),
  name: Type.Optional(Type.String({ maxLength: 1_000 })),
  credit_limit: CreditLimit,
});
const AccountQuery = closedObject({
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'the last account_id of the page before' })),
});
const AccountChange = closedObject(
  {
    name: Type.Optional(Type.String({ maxLength: 1_000 })),
    credit_limit: CreditLimit,
    price_rules: Type.Optional(Type.Array(closedObject({ models: Pattern, multiplier: Word }), { maxItems: 100 })),
    hidden_models: Type.Optional(Type.Array(Pattern, { maxItems: 100 })),
  },
  { minProperties: 1 },
);

/** Adds the operators' routes of accounts, their balances and terms. */
export function adminAccountRoutes(admin: App, { customers, http }: Pick<ServingKernel, 'customers' | 'http'>): void {
  type OneAccount = { Params: { account_id: string } };

  admin.get(
    '/admin/v1/accounts',
    { schema: { ...adminSchema(pageOf(AdminAccount)), querystring: AccountQuery } },
    async (request) => {
      const { limit = 20, after } = request.query;
      const found = await customers.list({ after, limit: limit + 1 });
      return success({ items: found.slice(0, limit), limit, has_more: found.length > limit });
    },
  );

  admin.post(
    '/admin/v1/accounts',
    { schema: { ...adminAction(AdminAccount, 201), body: NewAccount } },
    async (request, reply) => {
      const { account_id: id, name, credit_limit: limit } = request.body;
      const fields = given({ id, name, creditLimit: amountOf(limit) });
      const account = await http.once(request, reply, {
        make: (_binding, by) => customers.create(by, fields),
        again: (accountId) => customers.read(accountId),
      });
      reply.code(201);
      return success(account, 201);
    },
  );

  admin.get<OneAccount>('/admin/v1/accounts/:account_id', { schema: adminSchema(AdminAccount) }, async (request) =>
    success(await customers.read(request.params.account_id)),
  );

  admin.patch<OneAccount & { Body: Static<typeof AccountChange> }>(
    '/admin/v1/accounts/:account_id',
    {
      schema: {
        ...adminSchema(AdminAccount),
        body: AccountChange,
      },
    },
    async (request) => {
      const { name, credit_limit: limit, price_rules: priceRules, hidden_models: hiddenModels } = request.body;
      const change = given({ name, creditLimit: amountOf(limit), priceRules, hiddenModels });
      const account = await customers.change(http.by(request), request.params.account_id, change);
      http.keys.forget();
      return success(account);
    },
  );
}
