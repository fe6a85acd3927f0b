import type { ServerResponse } from 'node:http';

/** Requests that wait for a task. Each ends when its caller goes, and all when the service stops. */
export interface OpenWaits {
  open(response: ServerResponse): { readonly signal: AbortSignal; readonly close: () => void };
  /** Ends all, and those that are opened from now on. */
  endAll(): void;
}

export function createOpenWaits(): OpenWaits {
  const open = new Set<AbortController>();
  let ended = false;
  return {
    open(response) {
      const controller = new AbortController();
      const abort = () => controller.abort();
      if (ended || response.closed) abort();
      open.add(controller);
      response.once('close', abort);
      return {
        signal: controller.signal,
        close() {
          response.off('close', abort);
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
