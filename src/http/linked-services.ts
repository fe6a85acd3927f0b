import { isWildcard } from '@darkroom-service/media';
import type { FastifyRequest } from 'fastify';
import type { TaskServices } from '../tasks/task-services.ts';
import { type Packed, pack } from './bodies/packed.ts';

/** Form of a name or an address that a link can have; `Host` may have other values. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
/** Maximum number of remembered hosts: a client can name any host. */
const REMEMBERED = 64;
/** Maximum number of remembered versions of a page, which may have a megabyte. */
const REMEMBERED_PAGES = 4;

/** Returns the services whose links suit the answer to a request. */
export type ServicesFor = (request: Pick<FastifyRequest, 'headers' | 'protocol'>) => TaskServices;

/**
 * Returns services whose links begin with the host that a request has named, for a service without a public URL. Those
 * of a request without one stay as they are.
 */
export function linkServices(services: TaskServices): ServicesFor {
  /** Services by host as requests spell it: parsing a host as an address costs more than all else here. */
  const known = { http: new Map<string, TaskServices>(), https: new Map<string, TaskServices>() };
  return ({ headers: { host = '' }, protocol }) => {
    const scheme = protocol === 'https' ? 'https' : 'http';
    const found = known[scheme].get(host);
    if (found !== undefined) return found;
    const [, name] = HOST.exec(host) ?? [];
    if (name === undefined || isWildcard(name)) return services;
    const publicUrl = `${scheme}://${host.toLowerCase()}`;
    const { settings, signer } = services;
    const linked = { ...services, settings: { ...settings, publicUrl }, signer: signer.at(publicUrl) };
    if (known[scheme].size >= REMEMBERED) known[scheme].clear();
    known[scheme].set(host, linked);
    return linked;
  };
}

/**
 * Packs a text that names the public URL, for each URL that answers to requests link to instead.
 * @returns the packed text for a request
 */
export function packLinked(
  { publicUrl, servicesFor }: { readonly publicUrl: string; readonly servicesFor: ServicesFor },
  text: string,
): (request: FastifyRequest) => Packed {
  const known = new Map<string, Packed>();
  return (request) => {
    const linkedUrl = servicesFor(request).settings.publicUrl;
    const found = known.get(linkedUrl);
    if (found !== undefined) return found;
    const packed = pack(Buffer.from(text.replaceAll(publicUrl, linkedUrl)));
    if (known.size >= REMEMBERED_PAGES) known.clear();
    known.set(linkedUrl, packed);
    return packed;
  };
}
