import { publicPath } from '@darkroom-service/media';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Cookies of the console: not for scripts, other sites or other paths, and encrypted in transit. */
export interface ConsoleCookies {
  read(request: FastifyRequest, name: CookieName): string | null;
  /** @param seconds lifetime in the browser; 0 = removes the cookie */
  set(reply: FastifyReply, name: CookieName, value: string, seconds: number): void;
  /** Lists the cookies of current sign-ins, the oldest first as browsers send them. */
  signIns(request: FastifyRequest): CookieName[];
}

/**
 * Name of a cookie. Each sign-in has a cookie of its own, so that several tabs can be at the provider at the same time.
 */
export type CookieName = 'session' | `sign-in-${string}`;
/** Prefix of the names; browsers accept it only with `Secure`. */
const PREFIX = '__Secure-darkroom-';
const LONGEST_COOKIES = 16_384;

/**
 * Returns the names and attributes of the console's cookies.
 * @param publicUrl may have a path, which browsers then send
 */
export function consoleCookies(publicUrl: string): ConsoleCookies {
  const path = `${publicPath(publicUrl)}/console`;
  const partsOf = ({ headers: { cookie = '' } }: FastifyRequest) =>
    cookie.length > LONGEST_COOKIES ? [] : cookie.split(';').map((part) => part.trim());
  return {
    read(request, name) {
      const begin = `${PREFIX}${name}=`;
      const found = partsOf(request).filter((part) => part.startsWith(begin));
      // Two of one name: somebody else has set one, and it is unknown which.
      return found.length === 1 ? (found[0]?.slice(begin.length) ?? null) : null;
    },
    set(reply, name, value, seconds) {
      const attributes = `Path=${path}; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`;
      const cookie = `${PREFIX}${name}=${value}; ${attributes}`;
      const others = reply.getHeader('set-cookie') ?? [];
      reply.header('set-cookie', [...(Array.isArray(others) ? others : [String(others)]), cookie]);
    },
    signIns(request) {
      const begin = `${PREFIX}sign-in-`;
      return partsOf(request)
        .filter((part) => part.startsWith(begin))
        .map((part) => `sign-in-${part.slice(begin.length).split('=', 1)[0]}` as const);
    },
  };
}
