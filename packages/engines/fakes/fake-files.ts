import sharp from 'sharp';
import type { Exchange } from './fake-server.ts';
import { smallFilm } from './small-film.ts';

const picture = () => sharp({ create: { width: 48, height: 32, channels: 3, background: '#a63' } });
const png = picture().png().toBuffer();
const jpeg = picture().jpeg().toBuffer();
const cutOut = picture().ensureAlpha().png().toBuffer();
const webp = picture().webp().toBuffer();

const GIGABYTE = 1024 ** 3;

/** Answers of the download addresses of results, by the word in a prompt: good files, and every kind of bad one. */
export const FILES: Readonly<
  Record<string, (exchange: Exchange, downloads: number) => Promise<undefined> | undefined>
> = {
  png: async ({ reply }) => reply(200, await png, { 'content-type': 'image/png' }),
  jpeg: async ({ reply }) => reply(200, await jpeg, { 'content-type': 'image/jpeg' }),
  webp: async ({ reply }) => reply(200, await webp, { 'content-type': 'image/webp' }),
  /** With an alpha channel. */
  cutout: async ({ reply }) => reply(200, await cutOut, { 'content-type': 'image/png' }),
  film: async ({ reply }) => reply(200, smallFilm, { 'content-type': 'video/mp4' }),
  /** A picture with the content type of a page. */
  wrongtype: async ({ reply }) => reply(200, await webp, { 'content-type': 'text/html' }),
  /** Sent in chunks, without a length. */
  nolength: async ({ response }) => {
    const bytes = await png;
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    response.write(bytes.subarray(0, 20));
    response.end(bytes.subarray(20));
  },
  /** Redirects to another address of the same host. */
  redirect: ({ path, reply }) => reply(302, '', { location: `${path}/moved` }),
  /** Announces 3 GB. */
  oversize: ({ response }) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': String(3 * GIGABYTE) });
    response.write(Buffer.alloc(1000));
  },
  /** Redirects to another port of this machine, where something secret may listen. */
  private: ({ reply }) => reply(302, '', { location: 'http://127.0.0.1:9/latest/meta-data' }),
  /** A file that is no picture. */
  garbage: ({ reply }) => reply(200, 'no picture', { 'content-type': 'image/png' }),
  /** A page with the content type of a picture. */
  page: ({ reply }) => reply(200, '<html><body><h1>Not found</h1></body></html>', { 'content-type': 'image/png' }),
  /** Missing at first, present the next time. */
  late: async ({ reply }, downloads) =>
    downloads === 1 ? reply(404, 'not here') : reply(200, await png, { 'content-type': 'image/png' }),
  /** Breaks off in the middle at first. */
  broken: async ({ reply, response }, downloads) => {
    if (downloads > 1) return reply(200, await png, { 'content-type': 'image/png' });
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '5000' });
    response.write((await png).subarray(0, 30));
    setTimeout(() => response.destroy(), 20);
  },
};

/** Sends the file of that name; `/moved` behind a redirect is the plain picture. */
export async function sendFile(exchange: Exchange, name: string, downloads: number): Promise<undefined> {
  const send = exchange.path.endsWith('/moved') ? FILES.png : FILES[name];
  if (send === undefined) throw new Error(`no such file: ${name}`);
  await send(exchange, downloads);
}
