import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { type BuiltGuide, CLIENTS_FILE, CLIENTS_MARK, GUIDE_SECURITY_POLICY, NOT_BUILT } from './built-guide.ts';

/** Directory of the packed clients, written by `packaging/pack-clients.ts`. */
const PACKED_CLIENTS = join(import.meta.dirname, '..', '..', '..', 'clients', 'dist');
interface Kind {
  readonly ending: string;
  /** The beginning of the names of its files; without one, they begin in any way. */
  readonly beginning?: string;
  readonly type: string;
  readonly command: string;
  readonly needs: string;
}

/** The first that fits a file's name is its kind. */
const KINDS: readonly Kind[] = [
  {
    ending: '.tgz',
    beginning: 'darkroom-command-line-',
    type: 'application/gzip',
    command: 'npm install --global',
    needs: 'Needs Node 24 or later.',
  },
  { ending: '.tgz', type: 'application/gzip', command: 'npm install', needs: 'Needs Node 20 or later.' },
  { ending: '.whl', type: 'application/octet-stream', command: 'pip install', needs: 'Needs Python 3.10 or later.' },
  {
    ending: '.py',
    type: 'text/plain; charset=utf-8',
    command: 'curl -sSO',
    needs: 'Save it in custom_nodes of ComfyUI.',
  },
  { ending: '.tar.gz', type: 'application/gzip', command: 'pip install', needs: 'Needs Python 3.10 or later.' },
];
/** Further packages that a package needs installed, by the beginning of its file's name. */
const BESIDE: Readonly<Record<string, string>> = { 'darkroom-ai-sdk-provider-': 'ai@7 zod' };
const NONE = '<p>This service has no packed clients. <code>npm run pack:clients</code> in its checkout packs them.</p>';

interface PackedClient {
  readonly name: string;
  readonly kind: Kind;
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** Serves the packed clients at `/clients/`, so that they can be installed without a checkout. */
export function clientRoutes(
  app: App,
  takeTurn: onRequestHookHandler,
  {
    answers,
    guide,
    publicUrlFor,
    folder = PACKED_CLIENTS,
  }: {
    readonly answers: Pick<ServingKernel['http']['answers'], 'isUnchanged'>;
    readonly guide: Pick<BuiltGuide, 'text'> | null;
    readonly publicUrlFor: (request: FastifyRequest) => string;
    readonly folder?: string;
  },
): void {
  let known: Promise<readonly PackedClient[]> | null = null;
  const clients = () => {
    known ??= readClients(folder).then(
      (found) => {
        // They may be missing only while the program is replaced.
        if (found.length === 0) known = null;
        return found;
      },
      (error) => {
        known = null;
        throw error;
      },
    );
    return known;
  };

  app.get('/clients/', { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
    reply.type('text/html; charset=utf-8').header('cache-control', 'public, no-cache');
    reply.header('content-security-policy', GUIDE_SECURITY_POLICY);
    if (guide === null) return reply.send(NOT_BUILT);
    const publicUrl = publicUrlFor(request);
    const frame = await guide.text(CLIENTS_FILE, publicUrl);
    const list = renderList(await clients(), publicUrl);
    return reply.send(frame.replace(CLIENTS_MARK, () => list));
  });

  app.get<{ Params: { file: string } }>(
    '/clients/:file',
    { onRequest: takeTurn, schema: { hide: true } },
    async (request, reply) => {
      const client = (await clients()).find(({ name }) => name === request.params.file);
      if (client === undefined) return reply.callNotFound();
      reply.type(client.kind.type).header('cache-control', 'public, no-cache');
      return answers.isUnchanged(request, reply, `"${client.sha256}"`) ? reply.send() : reply.send(client.bytes);
    },
  );

  app.get('/clients', { schema: { hide: true } }, async (_request, reply) => reply.redirect('clients/', 301));
}

/** Reads the packed clients, a few hundred kilobytes; none if they were not packed. */
async function readClients(folder: string): Promise<readonly PackedClient[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const clients = await Promise.all(
    names.sort().map(async (name) => {
      const kind = KINDS.find(({ beginning = '', ending }) => name.startsWith(beginning) && name.endsWith(ending));
      if (kind === undefined) return [];
      const bytes = await readFile(join(folder, name));
      return [{ name, kind, bytes, sha256: hash('sha256', bytes) }];
    }),
  );
  return clients.flat();
}

function commandOf(name: string, command: string, publicUrl: string): string {
  const beside = Object.entries(BESIDE).find(([beginning]) => name.startsWith(beginning))?.[1];
  return [command, `${publicUrl}/clients/${name}`, ...(beside === undefined ? [] : [beside])].join(' ');
}

function renderList(clients: readonly PackedClient[], publicUrl: string): string {
  if (clients.length === 0) return NONE;
  const sections = clients.map(
    ({ name, kind, bytes, sha256 }) => `<h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2>
<p>${kind.needs}</p>
<pre tabindex="0"><code>${escapeHtml(commandOf(name, kind.command, publicUrl))}</code></pre>
<p><a href="${encodeURIComponent(name)}">Download</a>, ${bytes.length} bytes, SHA-256 <code>${sha256}</code></p>`,
  );
  return sections.join('\n');
}
