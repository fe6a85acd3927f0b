import { type Static, Type } from 'typebox';
import { changeAccount, createAccount, creditAccount, getAccount, listAccounts } from '../../accounts/accounts.ts';
import { ServiceError } from '../../base/errors.ts';
import { type Micros, parseMicros } from '../../base/money.ts';
import { AdminAccount } from '../../wire/admin.ts';
import { IdempotencyHeaders } from '../../wire/orders.ts';
import { listOf } from '../../wire/parts.ts';
import { actOf } from '../authenticate.ts';
import { readIdempotencyKey } from '../connection/request-headers.ts';
import { success } from '../envelope.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { adminSchema } from './admin-schema.ts';

const closed = { additionalProperties: false } as const;
export const Amount = Type.String({
  pattern: '^-?\\d{1,9}(\\.\\d{1,6})?$',
  description: 'dollars as a decimal string such as "25.00"',
});
const CreditLimit = Type.Optional(
  Type.Union([Amount, Type.Null()], {
    description: 'dollars as a decimal string, or null for an account that pays later',
  }),
);

const NewAccount = Type.Object(
  { account_id: Type.Optional(Type.String()), name: Type.Optional(Type.String()), credit_limit: CreditLimit },
  closed,
);
const AccountChange = Type.Object(
  {
    name: Type.Optional(Type.String()),
    credit_limit: CreditLimit,
    price_rules: Type.Optional(
      Type.Array(Type.Object({ models: Type.String(), multiplier: Type.String() }, closed), { maxItems: 100 }),
    ),
    hidden_models: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
  },
  { ...closed, minProperties: 1 },
);
const Credit = Type.Object({ amount: Amount, note: Type.Optional(Type.String({ maxLength: 500 })) }, closed);

/** Accounts, their balances and terms. */
export function adminAccountRoutes(admin: App, options: HttpOptions): void {
  const { database } = options.services;
  type OneAccount = { Params: { account_id: string } };

  admin.get('/admin/v1/accounts', { schema: adminSchema(listOf(AdminAccount)) }, async () =>
    success({ items: await listAccounts(database.read) }),
  );

  admin.post(
    '/admin/v1/accounts',
    { schema: { ...adminSchema(AdminAccount, 201), body: NewAccount } },
    async (request, reply) => {
      const { account_id: id, name, credit_limit: limit } = request.body;
      const account = await createAccount(database, actOf(request, options), {
        ...(id === undefined ? {} : { id }),
        ...(name === undefined ? {} : { name }),
        ...(limit === undefined ? {} : { creditLimit: amountOf(limit) }),
      });
      reply.code(201);
      return success(account, 201);
    },
  );

  admin.get<OneAccount>('/admin/v1/accounts/:account_id', { schema: adminSchema(AdminAccount) }, async (request) =>
    success(await getAccount(database.read, request.params.account_id)),
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
      const account = await changeAccount(database, actOf(request, options), request.params.account_id, {
        ...(name === undefined ? {} : { name }),
        ...(limit === undefined ? {} : { creditLimit: amountOf(limit) }),
        ...(priceRules === undefined ? {} : { priceRules }),
        ...(hiddenModels === undefined ? {} : { hiddenModels }),
      });
      options.keyring.forget();
      return success(account);
    },
  );

  admin.post<OneAccount & { Body: Static<typeof Credit> }>(
    '/admin/v1/accounts/:account_id/credit',
    { schema: { ...adminSchema(AdminAccount, 201), headers: IdempotencyHeaders, body: Credit } },
    async (request, reply) => {
      const { account, replayed } = await creditAccount(database, actOf(request, options), request.params.account_id, {
        amount: amountOf(request.body.amount),
        note: request.body.note ?? null,
        idempotencyKey: readIdempotencyKey(request),
      });
      reply.code(201);
      if (replayed) reply.header('idempotent-replayed', 'true');
      return success(account, 201);
    },
  );
}

/** Micro-dollars of an amount that its schema has let through. */
export function amountOf(text: string): Micros;
export function amountOf(text: string | null): Micros | null;
export function amountOf(text: string | null): Micros | null {
  const amount = text === null ? null : parseMicros(text);
  if (text !== null && amount === null)
    throw new ServiceError('invalid_request', `Expected an amount of dollars, found '${text}'.`);
  return amount;
}
