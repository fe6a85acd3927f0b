import { Pool } from 'undici';

/** One round: so many connections, each of which sends its next request when the last one is answered. */
export interface RaceOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  /** No request begins after this; those that have begun are answered. */
  readonly seconds: number;
  /** The least length of an answer. A shorter one ends the race. */
  readonly leastBytes: number;
}

/** Latencies in milliseconds. */
export interface RaceAnswer {
  readonly answered: number;
  /** Until the last answer. */
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
}

/** Sends one round of requests in a process of its own. Told by `load.ts`. */
process.once('message', (order: RaceOrder) => {
  send(order).then(
    (answer) => process.send?.(answer, () => process.disconnect?.()),
    (error: unknown) => process.send?.(String(error), () => process.exit(1)),
  );
});

async function send({ url, headers, body, connections, seconds, leastBytes }: RaceOrder): Promise<RaceAnswer> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, headersTimeout: 0, bodyTimeout: 0 });
  const latencies: number[] = [];
  const begin = performance.now();
  const ask = async () => {
    const sent = performance.now();
    const response = await pool.request({ path: pathname, method: 'POST', headers, body });
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) bytes += chunk.length;
    if (response.statusCode !== 200 || bytes < leastBytes)
      throw new Error(`${url} answered ${response.statusCode} with ${bytes} bytes`);
    latencies.push(performance.now() - sent);
  };
  const client = async () => {
    do await ask();
    while (performance.now() - begin < seconds * 1000);
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = (performance.now() - begin) / 1000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { answered: latencies.length, seconds: elapsed, p50: at(0.5), p99: at(0.99) };
}
