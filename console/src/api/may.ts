import { isAllowed } from '@darkroom-service/contract';
import { useOffers } from './offered.ts';
import { OPERATION_ROLES } from './operation-roles.ts';
import type { Operation } from './operations.ts';
import { personStore } from './person.ts';
import { isPersonKey, orderingKey, useSession } from './session.ts';
import { useStore } from './store.ts';

/** Operations that no API key may call. */
const ONLY_FOR_PEOPLE = / \/v1\/account\/(?:members|invitations|keys|tasks)/;

/**
 * Returns a function that tells whether this session may call an operation: the service must have it, and the session's
 * keys and the role of the person who has signed in must allow it.
 */
export function useMay(): (operation: Operation) => boolean {
  const session = useSession();
  const offers = useOffers();
  const { person, account } = useStore(personStore);
  const operator = person?.memberships.find(({ account_id }) => account_id === null);
  return (operation) => {
    const isForOperators = operation.includes(' /admin/');
    const key = isForOperators ? session.keys.admin : orderingKey(session);
    if (key === undefined || key === null || !offers(operation)) return false;
    if (!isPersonKey(key)) return !ONLY_FOR_PEOPLE.test(operation);
    return isAllowed((isForOperators ? operator : account)?.role ?? '', OPERATION_ROLES[operation]);
  };
}
