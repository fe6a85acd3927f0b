import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import { objectOf } from '../upstream/json-object.ts';
import type { ComfyServer } from './comfyui-server.ts';

/**
 * Listens to the servers' progress messages of running orders. How an order ended is read from queue and history
 * instead.
 */
interface ProgressSockets {
  /** Starts listening if needed and returns the progress so far, 0 to 100. */
  watch(server: ComfyServer, promptId: string, nodes: number): number | undefined;
  forget(promptId: string): void;
  close(): void;
}

interface Listener {
  readonly socket: WebSocket;
  readonly heard: Heard;
  lastAsked: number;
}

interface Heard {
  readonly finished: Set<string>;
  current: string | null;
  /** Progress of the current node, 0 to 1. */
  share: number;
}

/** Milliseconds without a request for its progress after which an order counts as moved to another process. */
const FORGOTTEN_AFTER_MS = 5 * 60 * 1000;
const MOST_SOCKETS = 64;

/** Creates the WebSockets that report the progress of ComfyUI's jobs. @param now milliseconds since 1970 */
export function createProgressSockets(now: () => number): ProgressSockets {
  const listeners = new Map<string, Listener>();

  function forget(promptId: string): void {
    const listener = listeners.get(promptId);
    listeners.delete(promptId);
    listener?.socket.close();
  }

  function listen(server: ComfyServer, promptId: string): Listener {
    const address = new URL(`${server.url.replace(/\/+$/, '')}/ws`);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    address.searchParams.set('clientId', promptId);
    const heard: Heard = { finished: new Set(), current: null, share: 0 };
    const socket = new WebSocket(address.href, { headers: { ...server.headers } });
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') record(heard, promptId, data);
    });
    // Progress is optional: without a socket the order continues, and the next check reconnects.
    const gone = () => {
      if (listeners.get(promptId)?.socket === socket) listeners.delete(promptId);
    };
    socket.addEventListener('error', gone);
    socket.addEventListener('close', gone);
    return { socket, heard, lastAsked: now() };
  }

  return {
    watch(server, promptId, nodes) {
      for (const [id, { lastAsked }] of listeners) if (now() - lastAsked > FORGOTTEN_AFTER_MS) forget(id);
      let listener = listeners.get(promptId);
      if (listener === undefined) {
        if (listeners.size >= MOST_SOCKETS) return undefined;
        listener = listen(server, promptId);
        listeners.set(promptId, listener);
      }
      listener.lastAsked = now();
      const { finished, share } = listener.heard;
      return nodes === 0 || finished.size + share === 0 ? undefined : ((finished.size + share) / nodes) * 100;
    },
    forget,
    close() {
      for (const id of [...listeners.keys()]) forget(id);
    },
  };
}

function record(heard: Heard, promptId: string, text: string): void {
  const { type, data } = objectOf(parse(text));
  const facts = objectOf(data);
  if (facts.prompt_id !== undefined && facts.prompt_id !== promptId) return;
  switch (type) {
    case 'execution_cached':
      for (const node of Array.isArray(facts.nodes) ? facts.nodes : []) heard.finished.add(String(node));
      return;
    case 'executing':
      move(heard, facts.node);
      return;
    case 'progress':
      if (typeof facts.node === 'string') move(heard, facts.node);
      heard.share = shareOf(facts);
      return;
    case 'progress_state':
      recordAll(heard, objectOf(facts.nodes));
  }
}

function move(heard: Heard, node: JsonValue | undefined): void {
  if (node === heard.current) return;
  if (heard.current !== null) heard.finished.add(heard.current);
  heard.current = typeof node === 'string' && !heard.finished.has(node) ? node : null;
  heard.share = 0;
}

function recordAll(heard: Heard, nodes: JsonObject): void {
  let share = 0;
  for (const [id, node] of Object.entries(nodes)) {
    const facts = objectOf(node);
    if (facts.state === 'finished') heard.finished.add(id);
    else if (facts.state === 'running') share += shareOf(facts);
  }
  heard.share = share;
}

function shareOf({ value, max }: JsonObject): number {
  return typeof value === 'number' && typeof max === 'number' && max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
