import { sign } from 'node:crypto';
import { type Clock, world } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { EngineError } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';
import { createUpstream } from '../upstream/upstream-call.ts';
import type { ServiceAccount } from './service-account.ts';

/** Access tokens of a service account, shared by all of its calls. */
export interface AccessTokens {
  /** Returns a valid token. @throws EngineError if the account cannot sign in; its `took` is that of a check. */
  get(): Promise<string>;
  /** Discards a token that the upstream refused, so that the next call gets another one. */
  forget(token: string): void;
}

interface Issued {
  readonly token: string;
  /** Expiry by our clock, in milliseconds since 1970. */
  readonly goodUntil: number;
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const FORM = 'application/x-www-form-urlencoded';
const LIFETIME_S = 3600;
const RENEWED_BEFORE_MS = 5 * 60_000;
const TIMEOUT_MS = 30_000;

/**
 * Creates the tokens: a signed assertion is exchanged for one (developers.google.com/identity/protocols/oauth2/
 * service-account, and @ai-sdk/google-vertex 5.0.141 does the same).
 */
export function createAccessTokens(
  account: ServiceAccount,
  { clock, fetch }: { readonly clock: Clock; readonly fetch: TrustedFetch },
): AccessTokens {
  const { email, privateKey, keyId, tokenUrl } = account;
  const upstream = createUpstream({
    name: 'Google sign-in',
    baseUrl: tokenUrl,
    headers: {},
    secrets: [privateKey],
    fetch,
    explain: explainSignIn,
    timeoutMs: TIMEOUT_MS,
  });

  function assertion(): string {
    const now = Math.floor(clock.now() / 1000);
    const header = { alg: 'RS256', typ: 'JWT', ...(keyId === null ? {} : { kid: keyId }) };
    const claims = { iss: email, scope: SCOPE, aud: tokenUrl, iat: now, exp: now + LIFETIME_S };
    const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }

  async function issue(): Promise<Issued> {
    const { body } = await upstream.call({
      method: 'POST',
      url: tokenUrl,
      body: new URLSearchParams({ grant_type: GRANT, assertion: assertion() }).toString(),
      headers: { 'content-type': FORM },
      // Several orders wait for the token, so no order's signal ends the call.
      signal: world.timeout(TIMEOUT_MS),
    });
    const { access_token: token, expires_in: seconds } = objectOf(body);
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      throw new EngineError('upstream', 'Google sign-in issued no token', { took: 'yes' });
    const lifetime = typeof seconds === 'number' ? seconds : LIFETIME_S;
    return { token, goodUntil: clock.now() + lifetime * 1000 - RENEWED_BEFORE_MS };
  }

  let issued: Issued | null = null;
  let pending: Promise<Issued> | null = null;
  return {
    async get() {
      if (issued !== null && clock.now() < issued.goodUntil) return issued.token;
      pending ??= issue().finally(() => {
        pending = null;
      });
      issued = await pending;
      return issued.token;
    },
    forget(token) {
      if (issued?.token === token) issued = null;
    },
  };
}

/** Reads a sign-in error; any fault of the assertion concerns the account, never an order. */
function explainSignIn({ status, body }: Answer): Explained | null {
  const { error, error_description: words } = objectOf(body);
  const message = [words, error].find((text) => typeof text === 'string');
  return {
    ...(typeof message === 'string' ? { message } : {}),
    ...(status >= 400 && status < 500 && status !== 429 ? { class: 'auth' } : {}),
  };
}
