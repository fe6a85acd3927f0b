import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventsIn } from '../test/chaos/event-lines.ts';
import { median } from './table.ts';

const TASKS = 100;
const LISTENERS_OF_A_TASK = 10;
const LISTENS_WITHIN_MS = 60_000;

/**
 * A thousand clients listen to a hundred tasks of two seconds each.
 * @returns how long after its end each of them had heard of it, and how many did; rows for a table.
 */
export async function measureListeners(url: string, key: string): Promise<string[][]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const delays: number[] = [];
  const agent = new Agent({ keepAlive: false });
  const listening: Promise<void>[] = [];
  for (let place = 0; place < TASKS; place++) {
    const response = await fetch(`${url}/v1/images`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model_id: 'bench-quick', prompt: 'a fox' }),
    });
    const { data } = (await response.json()) as { data: { task_id: string } };
    for (let listener = 0; listener < LISTENERS_OF_A_TASK; listener++)
      listening.push(
        listen(`${url}/v1/images/${data.task_id}/events`, headers, agent).then((delay) => void delays.push(delay)),
      );
  }
  await Promise.race([Promise.all(listening), sleep(LISTENS_WITHIN_MS, undefined, { ref: false })]);
  const sorted = delays.toSorted((one, other) => one - other);
  return [
    ['clients that heard of the end', `${delays.length} of ${TASKS * LISTENERS_OF_A_TASK}`],
    ['after the end, median', `${median(sorted)} ms`],
    ['p99', `${sorted[Math.floor(sorted.length * 0.99)] ?? 0} ms`],
    ['the last', `${sorted.at(-1) ?? 0} ms`],
  ];
}

/** @returns the milliseconds from the end of the task to its event. */
async function listen(url: string, headers: Record<string, string>, agent: Agent): Promise<number> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers, agent }, resolve).once('error', reject),
  );
  if (response.statusCode !== 200) throw new Error(`expected a stream with 200, found ${response.statusCode}`);
  for await (const event of eventsIn(response)) {
    const task = JSON.parse(event) as { completed_at: string | null };
    if (task.completed_at !== null) return Date.now() - Date.parse(task.completed_at);
  }
  throw new Error('the stream ended before the task did');
}
