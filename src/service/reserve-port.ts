import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that no other process can use until it is released. */
export interface ReservedPort {
  readonly port: number;
  /** Releases the port. May be called repeatedly. */
  release(): Promise<void>;
}

/**
 * Reserves a free port of the host. Signed file URLs contain the port, so it must be known before the service listens.
 * Without the reservation the system could give a free port to another process in the meantime.
 */
export async function reservePort(host: string): Promise<ReservedPort> {
  const reservation = createServer().listen(0, host);
  await once(reservation, 'listening');
  const address = reservation.address();
  if (address === null || typeof address !== 'object') throw new Error(`expected a port of ${host}, found ${address}`);
  return {
    port: address.port,
    release: () => new Promise((resolve) => reservation.close(() => resolve())),
  };
}
