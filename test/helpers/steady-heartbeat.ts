import type { WorkerServices } from '../../src/worker/worker-services.ts';

/** A heartbeat that is always confirmed and sees nobody silent. */
export const steadyHeartbeat: WorkerServices['heartbeat'] = {
  ageMs: () => 0,
  onReport: () => () => {},
  expectCall: () => () => {},
  running: { begin() {}, end() {}, work: () => () => {} },
};
