import type { Readable } from 'node:stream';
import { FetchFault, isPassingStatus, type TrustedFetch } from '@darkroom-service/media';
import { isPage } from '@darkroom-service/media/structure';
import { OutputFault } from '../output-fault.ts';
import type { OutputFetch } from '../worker-services.ts';

export const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
const TIMEOUT_MS = 10 * 60 * 1000;
const MAX_REDIRECTS = 5;
/** Customers read these texts, so they contain no URL. */
const WHAT_BROKE: Readonly<Record<FetchFault['kind'], string>> = {
  refused_address: 'its address is not allowed',
  dns: 'its host name cannot be resolved',
  connect: 'its host cannot be reached',
  proxy: 'its host cannot be reached through the outgoing proxy',
  timeout: 'its download took too long',
  too_large: `it is larger than ${MAX_OUTPUT_BYTES / 2 ** 20} MB`,
  headers: 'its host sends headers that are too large',
  pieces: 'its host sends it in pieces that are too small',
  redirects: 'its address redirects in a way that cannot be followed',
  encoding: 'it cannot be decoded with the content-encoding that its host names',
  protocol: 'its download broke off',
};

/**
 * Downloads results with the necessary credentials, under the address rules.
 * @throws OutputFault, or the signal's reason
 */
export function createOutputFetch(fetch: TrustedFetch): OutputFetch {
  return async (url, { headers, allowOrigins, signal }): Promise<Readable> => {
    const limits = {
      maxBytes: MAX_OUTPUT_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
      joinsPieces: true,
    };
    try {
      const response = await fetch(url, { headers, allowOrigins, signal, ...limits });
      if (response.status === 200) return response.body;
      response.body.destroy();
      throw new OutputFault(`its address answered ${response.status} instead of the file`, {
        retryable: isPassingStatus(response.status, { isNew: true }),
      });
    } catch (error) {
      throw asOutputFault(error);
    }
  };
}

/**
 * Checks the first bytes of a result. A host that answers with a page or with nothing may have the file later.
 * @throws OutputFault
 */
export function assertNoPage(head: Uint8Array): void {
  if (head.length === 0) throw new OutputFault('its address answered with an empty file', { retryable: true });
  if (isPage(head)) throw new OutputFault('its address answered with a page instead of the file', { retryable: true });
}

/** Converts download errors, which can also occur while the file is read. */
export function asOutputFault(error: unknown): unknown {
  if (!(error instanceof FetchFault)) return error;
  return new OutputFault(WHAT_BROKE[error.kind], { retryable: error.isPassing, cause: error });
}
