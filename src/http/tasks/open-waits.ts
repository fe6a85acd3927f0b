import type { ServerResponse } from 'node:http';
import { mayBeGone, onClientGone } from '../connection/half-closed.ts';

/** Requests that wait for a task. Each ends when its caller goes, and all when the service stops. */
export interface OpenWaits {
  open(response: ServerResponse): { readonly signal: AbortSignal; readonly close: () => void };
  /** Ends all waits, and those that are opened from now on. */
  endAll(): void;
}

export function createOpenWaits(): OpenWaits {
  const open = new Set<AbortController>();
  let ended = false;
  return {
    open(response) {
      const controller = new AbortController();
      const abort = () => controller.abort();
      if (ended || mayBeGone(response)) abort();
      open.add(controller);
      const stop = onClientGone(response, abort);
      return {
        signal: controller.signal,
        close() {
          stop();
          open.delete(controller);
        },
      };
    },
    endAll() {
      ended = true;
      for (const controller of open) controller.abort();
    },
  };
}
