import { Counter, type Registry } from 'prom-client';
import type { RequestFigures } from './request-recorder.ts';

/** Registers the metrics of the request log, as counted by this process. */
export function createRequestLogMetrics(registry: Registry): RequestFigures {
  const written = new Counter({
    name: 'darkroom_request_log_written_total',
    help: 'Entries that this process wrote to the request log.',
    registers: [registry],
  });
  const dropped = new Counter({
    name: 'darkroom_request_log_dropped_total',
    help: 'Entries that this process did not write to the request log, because too many were waiting.',
    registers: [registry],
  });
  return {
    written: (requests) => written.inc(requests),
    dropped: (requests) => dropped.inc(requests),
  };
}
