import { Readable } from 'node:stream';
import { type Storage, StorageError } from '@darkroom-service/media';
import { createLog } from '../../src/base/log.ts';
import { handleSignals } from '../../src/cli/run-service.ts';
import type { Tempo } from '../../src/service/service-options.ts';
import { startService } from '../helpers/additions.ts';
import { loadConfig } from '../helpers/load-config.ts';
import { createUpstreamEngines } from './upstream-engines.ts';

/**
 * The service in a process of its own, with the fake upstream's engines and storage that fails when told to: started by
 * `fleet.ts`.
 */
export interface ProcessWish {
  readonly variables: Readonly<Record<string, string>>;
  readonly upstream: string;
  readonly tempo: Tempo;
}

/** Storing fails for so long: before anything is stored, or after it all was. */
export interface StorageFault {
  readonly ms: number;
  readonly moment: 'before' | 'after';
}

const wish = JSON.parse(process.argv[2] ?? '') as ProcessWish;
let fault: { readonly until: number; readonly moment: StorageFault['moment'] } | null = null;
process.on('message', ({ ms, moment }: StorageFault) => {
  fault = { until: performance.now() + ms, moment };
});
// Whoever started it has gone: nobody would ever end it.
process.on('disconnect', () => process.exit(1));

const config = loadConfig(wish.variables);
const service = await startService(config, {
  log: createLog(config.logLevel),
  engines: createUpstreamEngines(wish.upstream),
  wrapStorage,
  tempo: wish.tempo,
});
handleSignals(service);
process.send?.('ready');

function wrapStorage(storage: Storage): Storage {
  const fail = (moment: StorageFault['moment']) => {
    if (fault?.moment === moment && performance.now() < fault.until) throw new StorageError('unavailable', 'injected');
  };
  const put = storage.put.bind(storage);
  return Object.assign(storage, {
    async put(key, source, options) {
      try {
        fail('before');
      } catch (error) {
        if (source instanceof Readable) source.destroy();
        throw error;
      }
      const stored = await put(key, source, options);
      fail('after');
      return stored;
    },
  } satisfies Pick<Storage, 'put'>);
}
