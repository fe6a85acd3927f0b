import { systemClock } from './base/clock.ts';
import { createLog } from './base/log.ts';
import type { Config } from './config.ts';
import { openUpstreams } from './engines/upstreams.ts';
import { createTrustedFetch } from './net/trusted-fetch.ts';

/** As everything that `doctor` finds is told. */
export interface EngineFinding {
  readonly name: string;
  readonly status: 'ok' | 'failed';
  readonly found: string;
  readonly advice: string | null;
}

const PROBE_TIMEOUT_MS = 10_000;

/** Asks every upstream that is configured whether it answers and takes its key. Spends nothing. */
export async function diagnoseEngines(config: Config): Promise<EngineFinding[]> {
  const { fetch, close } = createTrustedFetch({ allowedAddresses: config.allowedAddresses });
  try {
    const opened = openUpstreams(config.upstreams, { clock: systemClock, log: createLog('silent'), fetch });
    const on = opened.filter(({ engine }) => config.engines?.includes(engine.name) !== false);
    return await Promise.all(
      on.map(async ({ engine, variable }): Promise<EngineFinding> => {
        const name = `engine ${engine.name}`;
        const context = { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS), onProgress: () => {} };
        const probed = await engine.probe?.(context).catch((error: Error) => ({ ok: false, message: error.message }));
        if (probed?.ok !== false) return { name, status: 'ok', found: probed?.message ?? 'configured', advice: null };
        const advice = `Check ${variable} and the way to the upstream. Without it, orders of its models fail.`;
        return { name, status: 'failed', found: probed.message, advice };
      }),
    );
  } finally {
    await close();
  }
}
