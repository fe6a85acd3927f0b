import { ServiceError } from '@darkroom-service/contract';
import { Type } from 'typebox';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { ReportScope } from '../accounts/report-scope.ts';

/** Query parameter: the spending of the key alone, or of its whole account. */
export const Scope = Type.Optional(
  Type.Enum(['key', 'account'], { default: 'key', description: 'account needs a key made with --account-view' }),
);

/**
 * Returns the scope of a report, by default the key.
 * @throws ServiceError `forbidden` if the key does not see its whole account
 */
export function scopeOf(key: OrderingKey, scope: ReportScope | undefined): ReportScope {
  if (scope === 'account' && !key.accountView) {
    throw new ServiceError(
      'forbidden',
      'This API key sees only its own spending. scope=account requires a key made with --account-view.',
      { param: 'scope' },
    );
  }
  return scope ?? 'key';
}
