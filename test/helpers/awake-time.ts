const TICK_MS = 50;

/**
 * Milliseconds since the call that this process was awake, told whenever asked: what a busy machine, or one that is put
 * to sleep, takes from the process is not counted, since no program could do anything in it.
 */
export function startAwakeTime(): () => number {
  let [awakeMs, last] = [0, performance.now()];
  const look = () => {
    const now = performance.now();
    awakeMs += Math.min(now - last, 2 * TICK_MS);
    last = now;
    return awakeMs;
  };
  setInterval(look, TICK_MS).unref();
  return look;
}
