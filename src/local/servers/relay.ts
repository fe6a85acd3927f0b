import { connect, type Server, type Socket } from 'node:net';

/**
 * Connects what comes to a listener with a port of this process's own loopback. The listener was opened in the network
 * of the machine, and this process may run in another one.
 */
export function relayConnections(listener: Server, port: number): void {
  listener.on('connection', (outer: Socket) => {
    const inner = connect({ host: '127.0.0.1', port });
    outer.pipe(inner);
    inner.pipe(outer);
    outer.once('error', () => inner.destroy());
    outer.once('close', () => inner.destroy());
    // Nobody listens yet, or the server has ended.
    inner.once('error', () => outer.resetAndDestroy());
    inner.once('close', () => outer.destroySoon());
  });
}
