import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';

interface Test {
  after(close: () => void): void;
}

/** Serves on a free port of this machine until the test ends. @returns the origin */
export async function serveHttp(t: Test, listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(t, createServer(listener))}`;
}

/** Serves HTTPS on a free port until the test ends. @returns the port */
export async function serveHttps(
  t: Test,
  certificate: SecureContextOptions,
  listener: RequestListener,
): Promise<number> {
  return await listen(t, createTlsServer({ ...certificate }, listener));
}

interface Tunnel {
  /** The target of the CONNECT request, such as `example.com:443`. */
  readonly to: string;
  readonly authorization: string | undefined;
}

/**
 * Serves a proxy that connects every target to its port on this machine, and answers nothing but CONNECT.
 * @param refuse returns a text to send on the connection instead; null = connect
 */
export async function serveProxy(
  t: Test,
  refuse: (tunnel: Tunnel) => string | null | Promise<string> = () => null,
): Promise<{ readonly port: number; readonly tunnels: Tunnel[] }> {
  const tunnels: Tunnel[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', async ({ url = '', headers }, socket: Socket) => {
    const tunnel = { to: url, authorization: headers['proxy-authorization'] };
    tunnels.push(tunnel);
    sockets.add(socket.on('error', () => {}));
    const refusal = await refuse(tunnel);
    if (refusal !== null) return void socket.end(refusal);
    const target = connect(Number(url.slice(url.lastIndexOf(':') + 1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    sockets.add(target.on('error', () => socket.destroy()));
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { port: await listen(t, server), tunnels };
}

async function listen(t: Test, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
