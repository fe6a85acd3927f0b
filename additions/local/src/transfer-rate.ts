/** Estimates the rate at which bytes arrive, over the last seconds. */
interface TransferRate {
  add(bytes: number): void;
  /** Bytes per second; null at the beginning. */
  perSecond(): number | null;
}

const WINDOW_MS = 10_000;
const MIN_MS = 500;

export function createTransferRate(now: () => number): TransferRate {
  const samples: { readonly at: number; total: number }[] = [{ at: now(), total: 0 }];
  let total = 0;
  return {
    add(bytes) {
      total += bytes;
      const at = now();
      const last = samples.at(-1);
      if (last !== undefined && samples.length > 1 && at - last.at < MIN_MS / 2) last.total = total;
      else samples.push({ at, total });
      while (samples.length > 2 && at - (samples[0]?.at ?? at) > WINDOW_MS) samples.shift();
    },
    perSecond() {
      const [first] = samples;
      const passed = now() - (first?.at ?? 0);
      return first === undefined || passed < MIN_MS ? null : Math.max(0, ((total - first.total) / passed) * 1000);
    },
  };
}
