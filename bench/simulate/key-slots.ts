/** The slots of keys. Orders of a key whose slots are all in use wait for one of them. */
export interface KeySlots {
  /** Takes a slot, or lets the order wait for one. @returns whether there was one */
  take(account: number, order: number): boolean;
  /** Frees a slot. */
  give(account: number): void;
  /** Hands a slot to the next order that waits for it, or frees it. @returns that order */
  handOn(account: number): number | undefined;
}

export function createKeySlots(accounts: number, slotsOf: (account: number) => number): KeySlots {
  const used = new Int32Array(accounts);
  const waiting = new Map<number, number[]>();
  return {
    take(account, order) {
      if (used[account]! < slotsOf(account)) {
        used[account]!++;
        return true;
      }
      const behind = waiting.get(account);
      if (behind === undefined) waiting.set(account, [order]);
      else behind.push(order);
      return false;
    },
    give: (account) => void used[account]!--,
    handOn(account) {
      const behind = waiting.get(account);
      const next = behind?.shift();
      if (behind?.length === 0) waiting.delete(account);
      if (next === undefined) used[account]!--;
      return next;
    },
  };
}
