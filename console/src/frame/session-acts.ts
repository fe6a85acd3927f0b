import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { type BookedOrder, isUnderWay } from '../api/booked-order.ts';
import { useOrderBook } from '../api/order-book.ts';
import { endPersonSession } from '../api/person.ts';
import { forgetKey, type KeyKind, signOut } from '../api/session.ts';
import { createStore } from '../api/store.ts';

/** Whether the dialog for adding a key is open. */
export const addKeyStore = createStore(false);

/** The colour schemes, in the order in which they are offered. */
export const SCHEMES = [
  { value: 'auto', icon: IconDeviceDesktop, word: 'Same as the system', command: 'Colours of the system' },
  { value: 'light', icon: IconSun, word: 'Light', command: 'Light colours' },
  { value: 'dark', icon: IconMoon, word: 'Dark', command: 'Dark colours' },
] as const;

/** The removal of a key, and of its list of orders, from this browser. */
export interface Leaving {
  /** Open orders whose list is lost. */
  readonly orders: readonly BookedOrder[];
  readonly action: string;
  readonly act: () => void;
}

/** The removal that waits for a confirmation, because open orders would no longer be listed; null = none. */
export const leavingStore = createStore<Leaving | null>(null);

/** Returns the functions that end the session. Each asks first if a list of open orders would be lost. */
export function useLeaving() {
  const underWay = useOrderBook().filter(isUnderWay);
  const leave = (leaving: Leaving) => (leaving.orders.length === 0 ? leaving.act() : leavingStore.set(leaving));
  return {
    forget: (kind: KeyKind) =>
      leave({
        orders: underWay.filter(({ mode }) => mode === kind),
        action: 'Forget the key',
        act: () => forgetKey(kind),
      }),
    signOut: () => leave({ orders: underWay, action: 'Sign out', act: abandonAll }),
  };
}

/** Ends the session of a person at the service too. */
function abandonAll(): void {
  void endPersonSession();
  signOut();
}
