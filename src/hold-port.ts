import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nobody else can take until it is released. */
export interface HeldPort {
  readonly port: number;
  /** May be called again. */
  release(): Promise<void>;
}

/**
 * Takes a port of the host that nothing listens on. Addresses of files are signed with the port in them, so it is known before anything listens;
 * it is held meanwhile, since the system may give a free one to whoever asks next.
 */
export async function holdPort(host: string): Promise<HeldPort> {
  const holder = createServer().listen(0, host);
  await once(holder, 'listening');
  const address = holder.address();
  if (address === null || typeof address !== 'object') throw new Error(`expected a port of ${host}, found ${address}`);
  return {
    port: address.port,
    release: () => new Promise((resolve) => holder.close(() => resolve())),
  };
}
