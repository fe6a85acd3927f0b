import { get } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { world } from '@darkroom-service/contract';
import { failed, type Observation, ok, warning } from '../check.ts';

const DAY_MS = 24 * 60 * 60_000;
const ANSWER_MS = 5_000;
/** Days before the end of a certificate within which its renewal is late: ACME clients renew 30 days before. */
const RENEWED_DAYS = 14;

/** An answer of the public address. */
interface Answer {
  readonly status: number | undefined;
  /** End of the certificate's validity, in milliseconds since 1970. */
  readonly validUntil: number;
}

/**
 * Calls the service at its public address, as a client does: name, proxy and certificate must be valid.
 * @param ca further certificate authority in PEM, for tests
 */
export async function diagnosePublicAddress(publicUrl: string | null, now: number, ca?: string): Promise<Observation> {
  const advice = 'Set DARKROOM_PUBLIC_URL to the https address of the proxy: docs/production.md, "Proxy and TLS".';
  if (publicUrl === null) return failed('DARKROOM_PUBLIC_URL is not set', advice);
  if (!publicUrl.startsWith('https:')) return failed(publicUrl, advice);
  const answer = await askHealth(`${publicUrl}/healthz`, ca).catch((error: Error) => error);
  if (answer instanceof Error)
    return failed(
      `${publicUrl} cannot be reached from here: ${answer.message}`,
      'Check the name, the proxy and the certificate. If only this machine cannot reach it, add --accept address.',
    );
  if (answer.status !== 200)
    return failed(
      `${publicUrl}/healthz answers ${answer.status}`,
      'Let the proxy pass all paths but /metrics on to the processes of the role api.',
    );
  const days = Math.floor((answer.validUntil - now) / DAY_MS);
  const found = `${publicUrl} answers; its certificate is valid for ${days} days`;
  return days >= RENEWED_DAYS ? ok(found) : warning(found, 'See why the certificate was not renewed.');
}

async function askHealth(url: string, ca: string | undefined): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const signal = world.timeout(ANSWER_MS);
    const request = get(url, { agent: false, signal, ...(ca === undefined ? {} : { ca }) }, (response) => {
      const { valid_to: end } = (response.socket as TLSSocket).getPeerCertificate();
      response.destroy();
      resolve({ status: response.statusCode, validUntil: Date.parse(end) });
    });
    request.on('error', (error) => {
      reject(signal.aborted ? new Error(`no answer within ${ANSWER_MS / 1000} s`) : error);
    });
  });
}
