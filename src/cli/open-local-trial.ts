import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { createLog } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { type LocalTools, openLocalModels } from '../service/open-local-models.ts';

/** The models of this machine, for a trial. */
interface LocalTrial {
  readonly engines: Awaited<ReturnType<Awaited<ReturnType<typeof openLocalModels>>['openEngines']>>;
  readonly entries: Awaited<ReturnType<Awaited<ReturnType<typeof openLocalModels>>['readEntries']>>;
}

/**
 * Reads the entries of the models of this machine, and opens their engine. It starts a server for each order, beside
 * those of a running service.
 * @param isTried false: no engine is opened
 */
export async function openLocalTrial(
  config: Config,
  isTried: boolean,
  tools: Pick<LocalTools, 'fetch' | 'pictures'>,
  closers: AsyncDisposableStack,
): Promise<LocalTrial> {
  const models = await openLocalModels(config);
  const entries = await models.readEntries();
  if (!isTried) return { engines: [], entries };
  const temporaryDirectory = await mkdtemp(join(tmpdir(), 'darkroom-try-'));
  closers.defer(() => rm(temporaryDirectory, { recursive: true, force: true }));
  const parts = { clock: systemClock, log: createLog('silent'), process: randomUUID(), reloadCatalog: async () => {} };
  const engines = await models.openEngines({ ...parts, ...tools, temporaryDirectory }, closers);
  return { engines: engines.filter(({ isDormant }) => isDormant?.() !== true), entries };
}
