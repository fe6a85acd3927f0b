import type { TestContext } from 'node:test';
import { countStatements } from './count-statements.ts';
import { plainPicture } from './plain-picture.ts';
import { startTestService } from './service.ts';
import { createSwiftEngine } from './swift-engine.ts';

const WARM_UP = 24;
const ORDERS = 40;
/** The orders of one measurement, also those that are not counted. */
export const ORDERS_OF_A_MEASUREMENT = WARM_UP + ORDERS;
/** What runs by the time, such as a look at other processes, is part of few orders. */
const OF_EACH_ORDER = 0.5;

/** The doors through which the counted order comes. */
export const DOORS = {
  native: { path: '/v1/images', body: { model_id: 'sketch', prompt: 'a fox' }, status: 201 },
  openai: { path: '/openai/v1/images/generations', body: { model: 'sketch', prompt: 'a fox' }, status: 200 },
} as const;

/** Statements and commits of an order from its `POST` to its answer, on average over orders that come one by one. */
export interface WayOfAnOrder {
  readonly statements: number;
  readonly commits: number;
  /** The statements of each order with the place that runs them, most frequent first. */
  readonly list: readonly string[];
}

/**
 * Starts a service whose engine has its picture at once, and returns a function that orders through a door and counts.
 * @param databaseUrl null = SQLite
 */
export async function openWayOfOrders(
  t: Pick<TestContext, 'after'>,
  databaseUrl: string | null,
): Promise<(door: keyof typeof DOORS) => Promise<WayOfAnOrder>> {
  const counted = countStatements();
  const engine = createSwiftEngine({
    repeatable: false,
    start: async ({ request, taskId }) => {
      const data = plainPicture(request.output, taskId);
      return { done: { outputs: [{ source: { data }, seed: null, revisedPrompt: null, tiles: null }] } };
    },
  });
  const env = {
    // Successes are written to the request log by the time and not by the order.
    DARKROOM_REQUEST_LOG: 'failures',
    ...(databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: databaseUrl }),
  };
  const { call, keys } = await startTestService(t, { env, service: { engines: [engine] } });
  const order = async (door: keyof typeof DOORS) => {
    const { path, body, status } = DOORS[door];
    const answer = await call(keys.live, 'POST', path as '/v1/images', body, { prefer: 'wait=60' });
    if (answer.status !== status || (door === 'native' && answer.data.status !== 'succeeded'))
      throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  };
  return async (door) => {
    for (let made = 0; made < WARM_UP; made++) await order(door);
    counted.reset();
    for (let made = 0; made < ORDERS; made++) await order(door);
    const list = [...counted.counts]
      .map(([name, count]) => ({ name, each: count / ORDERS }))
      .filter(({ each }) => each > OF_EACH_ORDER)
      .toSorted((a, b) => b.each - a.each);
    return {
      statements: list.reduce((sum, { each }) => sum + each, 0),
      commits: counted.commits / ORDERS,
      list: list.map(({ name, each }) => `${each.toFixed(2)} ${name}`),
    };
  };
}
