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

/** A key is to leave this browser, and with it its list of orders. */
export interface Leaving {
  /** The orders under way whose list is lost. */
  readonly orders: readonly BookedOrder[];
  readonly action: string;
  readonly act: () => void;
}

/** What waits for an answer to the question whether orders under way may be lost from sight; null = nothing. */
export const leavingStore = createStore<Leaving | null>(null);

/** The ways out of the session. Each asks first if a list of orders under way is lost. */
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
    signOut: () => leave({ orders: underWay, action: 'Sign out', act: leaveAll }),
  };
}

/** Ends the session of a person at the service too. */
function leaveAll(): void {
  void endPersonSession();
  signOut();
}
