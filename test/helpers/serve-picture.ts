import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { plainPicture } from './plain-picture.ts';

/** Serves a picture that orders can name. @returns its address */
export async function servePicture(t: Pick<TestContext, 'after'>): Promise<string> {
  const picture = plainPicture({ width: 256, height: 256 }, 'reference');
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'image/png').end(picture);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/reference.png`;
}
