import { systemClock } from './base/clock.ts';
import { createLog } from './base/log.ts';
import type { Config } from './config.ts';
import { openUpstreams } from './engines/upstreams.ts';
import { createTrustedFetch } from './net/trusted-fetch.ts';
import { describeCircuit, type Opened, standing } from './tasks/circuit.ts';

/** As everything that `doctor` finds is told. */
export interface EngineFinding {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly found: string;
  readonly advice: string | null;
}

const PROBE_TIMEOUT_MS = 10_000;

/**
 * Asks every upstream that is configured whether it answers and takes its key. Spends nothing.
 * @param circuits as a service has last written them down
 * @param now in ms, by the clock of the services
 */
export async function diagnoseEngines(
  config: Config,
  circuits: readonly Opened[],
  now: number,
): Promise<EngineFinding[]> {
  const { fetch, close } = createTrustedFetch({ allowedAddresses: config.allowedAddresses });
  try {
    const opened = openUpstreams(config.upstreams, { clock: systemClock, log: createLog('silent'), fetch });
    const on = opened.filter(({ engine }) => config.engines?.includes(engine.name) !== false);
    return await Promise.all(
      on.map(async ({ engine, variable }): Promise<EngineFinding> => {
        const name = `engine ${engine.name}`;
        const context = { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS), onProgress: () => {} };
        const probed = await engine.probe?.(context).catch((error: Error) => ({ ok: false, message: error.message }));
        const opened = standing(
          circuits.find((circuit) => circuit.engine === engine.name),
          now,
        );
        if (probed?.ok !== false) {
          const found = probed?.message ?? 'configured';
          if (opened === null) return { name, status: 'ok', found, advice: null };
          const advice = `It gets orders again by itself; once the cause is mended, at once by POST /admin/v1/engines/${engine.name}/circuit/close.`;
          return { name, status: 'warning', found: `${found}, but it ${describeCircuit(opened, now)}`, advice };
        }
        const advice = `Check ${variable} and the way to the upstream. Without it, orders of its models fail.`;
        return { name, status: 'failed', found: probed.message, advice };
      }),
    );
  } finally {
    await close();
  }
}
