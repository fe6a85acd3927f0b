/** The longest that the event loop of one of these processes stood still since it was last asked, in milliseconds. */
export async function longestPauseMs(metricsUrls: readonly string[]): Promise<number> {
  const pauses = await Promise.all(
    metricsUrls.map(async (url) => {
      const figures = await (await fetch(url)).text();
      const seconds = /^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)$/m.exec(figures)?.[1];
      if (seconds === undefined) throw new Error(`${url} does not tell nodejs_eventloop_lag_max_seconds`);
      return Number(seconds) * 1000;
    }),
  );
  return Math.max(...pauses);
}
