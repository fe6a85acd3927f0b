/** The claimable orders of one queue, lowest rank first. */
export interface WaitingQueue {
  readonly length: number;
  add(order: number, rank: number): void;
  /** Takes the order of the lowest rank; of equal ranks the oldest. Undefined if none waits. */
  take(): { readonly order: number; readonly rank: number } | undefined;
}

/** A binary heap. Orders are numbered in the order of their creation. */
export function createWaitingQueue(): WaitingQueue {
  const orders: number[] = [];
  const ranks: number[] = [];
  const isBefore = (a: number, b: number) =>
    ranks[a]! < ranks[b]! || (ranks[a] === ranks[b] && orders[a]! < orders[b]!);
  const swap = (a: number, b: number) => {
    [orders[a], orders[b]] = [orders[b]!, orders[a]!];
    [ranks[a], ranks[b]] = [ranks[b]!, ranks[a]!];
  };

  return {
    get length() {
      return orders.length;
    },
    add(order, rank) {
      let place = orders.push(order) - 1;
      ranks.push(rank);
      for (let above = (place - 1) >> 1; place > 0 && isBefore(place, above); above = (place - 1) >> 1) {
        swap(place, above);
        place = above;
      }
    },
    take() {
      if (orders.length === 0) return undefined;
      swap(0, orders.length - 1);
      const [order, rank] = [orders.pop()!, ranks.pop()!];
      for (let place = 0; ; ) {
        const [left, right] = [2 * place + 1, 2 * place + 2];
        if (left >= orders.length) break;
        const child = right < orders.length && isBefore(right, left) ? right : left;
        if (!isBefore(child, place)) break;
        swap(child, place);
        place = child;
      }
      return { order, rank };
    },
  };
}
