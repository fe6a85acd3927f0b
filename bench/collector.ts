import { join } from 'node:path';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { startPeer } from './peers/peer-process.ts';

/** A collector of OpenTelemetry in a process of its own. */
export interface Collector {
  /** The variables of a service that sends it one trace in ten. */
  readonly env: Readonly<Record<string, string>>;
  /** Prints what has arrived, and ends it. @throws Error if nothing has: nothing was traced */
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = [process.execPath, join(import.meta.dirname, 'collector.mjs'), String(port)] as const;
  const { end } = await startPeer(program, {}, url);
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    },
    async close() {
      const { requests, bytes } = (await (await fetch(url)).json()) as { requests: number; bytes: number };
      await end('SIGTERM');
      if (requests === 0) throw new Error('expected traces at the collector, found none');
      console.log(`the collector got ${(bytes / 2 ** 20).toFixed(1)} MB of traces in ${requests} requests`);
    },
  };
}
