import { world } from '@darkroom-service/contract';
import type { FastifyReply } from 'fastify';

const HEARTBEAT_MS = 15_000;
/** A reader that leaves more than this unread is not reading. */
const MOST_UNREAD_BYTES = 1_048_576;

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** An open stream of server-sent events. */
export interface Stream {
  /** @param data must be valid JSON text */
  readonly send: (event: { readonly name: string; readonly id: string | number; readonly data: string }) => void;
  readonly beat: () => void;
  readonly end: () => void;
}

/** Begins a stream of server-sent events. From then on errors cannot be answered. */
export function openStream(reply: FastifyReply): Stream {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS } as Record<string, string>);
  let quietSince = world.monotonic();
  const write = (text: string) => {
    quietSince = world.monotonic();
    if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy();
    else raw.write(text);
  };
  return {
    send: ({ name, id, data }) => write(`id: ${id}\nevent: ${name}\ndata: ${data}\n\n`),
    beat() {
      if (world.monotonic() - quietSince >= HEARTBEAT_MS && !raw.writableEnded) write(': still here\n\n');
    },
    end: () => raw.end(),
  };
}
