import type { TestService } from '../helpers/service.ts';
import type { Case } from './deed-kinds.ts';

/** Erasures, and those that are repeated after a restore. */
export async function deedsOfErasures(
  { createAccount, keys }: Pick<TestService, 'createAccount' | 'keys'>,
  acts: (act: string) => Case['count'],
): Promise<Readonly<Record<string, Case>>> {
  const account = { account_id: await createAccount(null), end_user_digest: null, requested_at: 0 };
  return {
    '/admin/v1/erasures': {
      key: keys.admin,
      body: { account_id: 'default', end_user: 'nobody' },
      other: { account_id: 'default', end_user: 'nobody else' },
      count: acts('end_user.erase'),
      differs: ['status', 'end_user', 'waiting', 'completed_at'],
    },
    '/admin/v1/erasures/repeat': {
      key: keys.admin,
      body: { erasure_id: 'era_01kafx2r5gq3v8m1t0z6y4n7wd', ...account },
      other: { erasure_id: 'era_01kafx2r5gq3v8m1t0z6y4n7we', ...account },
      count: acts('account.erase'),
    },
  };
}
