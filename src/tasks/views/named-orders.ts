import type { Session } from '../../database/database.ts';

/** A further way in which the text of a search names orders, such as the request that placed one. */
export interface NamedOrders {
  readonly by: 'request';
  /** Returns the ids of the orders; empty if the text names none. */
  readonly find: (session: Session, text: string) => Promise<readonly string[]>;
}
