import { personStore, useRole } from '../api/person.ts';
import { orderingKey, useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { type Page, pages } from '../pages.ts';

/** What keeps a session from a page: a key that it lacks, or the role of the person who has signed in. */
type Obstacle = 'no-ordering-key' | 'no-admin-key' | 'role';

/** Tells what this session may open, by its keys and by the role of the person who has signed in. */
export function useAccess() {
  const session = useSession();
  const { person, signInUrl } = useStore(personStore);
  const role = useRole();
  const isAdmin = session.keys.admin !== undefined;
  const has: Record<Page['needs'], boolean> = {
    ordering: orderingKey(session) !== null,
    admin: isAdmin,
    person: person !== null || isAdmin,
  };
  /** Returns null if nothing keeps the session from the page. */
  const obstacleTo = ({ needs, notFor = [] }: Page): Obstacle | null => {
    if (!has[needs]) return needs === 'ordering' ? 'no-ordering-key' : 'no-admin-key';
    return role !== null && notFor.includes(role) ? 'role' : null;
  };
  // Where nobody signs in, the page of people is no use to an admin key.
  const isOffered = ({ needs, under }: Page) =>
    under === undefined && (needs !== 'person' || person !== null || signInUrl !== null);
  const open = pages.filter((page) => isOffered(page) && obstacleTo(page) === null);
  return {
    obstacleTo,
    /** The pages of the navigation, in its order. The first one opens after a sign-in. */
    open,
  };
}
