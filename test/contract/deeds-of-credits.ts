import type { TestService } from '../helpers/service.ts';
import type { Case } from './deed-kinds.ts';

/** A credit, and its taking back. */
export function deedsOfCredits(
  { call, keys }: Pick<TestService, 'call' | 'keys'>,
  acts: (act: string) => Case['count'],
): Readonly<Record<string, Case>> {
  const key = keys.admin;
  const made = async () => {
    await call(key, 'POST', '/admin/v1/accounts/default/credit', { amount: '3.00' });
    return (await call(key, 'GET', '/admin/v1/credits?limit=1')).data.items[0]?.credit_id;
  };
  return {
    '/admin/v1/accounts/:account_id/credit': {
      path: '/admin/v1/accounts/default/credit',
      key,
      body: { amount: '1.00' },
      other: { amount: '2.00' },
      count: acts('account.credit'),
    },
    '/admin/v1/credits/:credit_id/take_back': {
      path: async () => `/admin/v1/credits/${await made()}/take_back`,
      key,
      count: acts('account.take_back_credit'),
    },
  };
}
