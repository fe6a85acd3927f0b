import { world } from '@darkroom-service/contract';
import { isLoopback, type TrustedFetch } from '@darkroom-service/media';
import { loadPart } from '@darkroom-service/media/process';
import type {
  Configuration,
  IDToken,
  ServerMetadata,
  TokenEndpointResponse,
  TokenEndpointResponseHelpers,
  UserInfoResponse,
} from 'openid-client';
import type { PeopleConfig } from '../people-settings.ts';
import { type Claims, claimsOf, findClaim, readName } from './claims.ts';
import { isSameIssuer } from './issuers.ts';
import { type LogoutToken, readLogoutToken } from './logout-token.ts';
import { ProviderFault, refusalOf } from './provider-fault.ts';

/** The tokens of a sign-in, for later checks at the provider. */
export interface CheckTokens {
  readonly accessToken: string;
  /** End of the access token, in milliseconds since 1970 UTC. */
  readonly accessUntil: number;
  readonly refreshToken: string | null;
  /** Whether a claim that lets the person in came with the ID token only, so that a check needs a new one. */
  readonly groupsInIdToken: boolean;
  /** ID token, which names the session to end to the provider at sign-out. */
  readonly idToken: string;
}

export interface SignedIn extends Claims {
  readonly subject: string;
  /** Provider's id of its session; null = it gives none. */
  readonly sid: string | null;
  readonly tokens: CheckTokens;
}

/** The secrets of one sign-in, kept by the browser until it returns from the provider. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The OpenID Connect provider. All its calls are made by `openid-client`. */
export interface Provider {
  /** Issuer as it is configured: with the subject, it names a person. */
  readonly issuer: string;
  /** Returns the issuer as the provider writes it, perhaps with a different trailing slash. @throws ProviderFault */
  readIssuer(): Promise<string>;
  begin(): Promise<{ readonly url: URL; readonly checks: SignInChecks }>;
  /** @param answer the address with which the browser returned @throws ProviderFault */
  finish(answer: URL, checks: SignInChecks): Promise<SignedIn>;
  /**
   * Asks the provider again about a signed-in person.
   * @returns null if the provider no longer vouches for them
   * @throws ProviderFault if it does not answer
   */
  check(
    subject: string,
    tokens: CheckTokens,
  ): Promise<{ readonly claims: Claims; readonly tokens: CheckTokens } | null>;
  /** Returns the page that ends the provider's own session; null if it has none. @throws ProviderFault */
  signOutUrl(tokens: CheckTokens): Promise<string | null>;
  /** Checks a logout token. @throws ProviderFault */
  readLogout(token: string): Promise<LogoutToken>;
}

export interface ProviderOptions {
  readonly provider: NonNullable<PeopleConfig['provider']>;
  /** Name of the claim with the groups. */
  readonly groupsClaim: string;
  /** Whether only verified addresses may sign in. */
  readonly needsVerified: boolean;
  readonly redirectUri: string;
  /** Address to which the browser returns after a sign-out. */
  readonly signedOutUri: string;
  readonly fetch: TrustedFetch;
  readonly now: () => number;
}

const CLOCK_TOLERANCE_SECONDS = 60;
const DISCOVERED_FOR_MS = 600_000;
const MOST_BYTES = 1_048_576;
const TIMEOUT_MS = 10_000;
const LOGOUT_TOKEN_SECONDS = 300;

/** Opens the provider; it is not contacted before somebody signs in. */
export async function openProvider(options: ProviderOptions): Promise<Provider> {
  const [client, jose] = await loadPart(() => Promise.all([import('openid-client'), import('jose')]));
  const { provider, groupsClaim, needsVerified, redirectUri, signedOutUri, now } = options;
  const issuer = new URL(provider.issuer);
  const fetch = fetchOver(options.fetch, issuer.origin);
  let known: { readonly server: ServerMetadata; readonly until: number } | null = null;
  let keys: { readonly url: string; readonly set: ReturnType<typeof jose.createRemoteJWKSet> } | null = null;

  async function discover(address: URL): Promise<Configuration> {
    return await client.discovery(address, provider.clientId, undefined, client.None(), {
      [client.customFetch]: fetch,
      execute: isLoopback(issuer.hostname) ? [client.allowInsecureRequests] : [],
      timeout: TIMEOUT_MS / 1000,
    });
  }

  async function server(): Promise<ServerMetadata> {
    if (known !== null && world.monotonic() < known.until) return known.server;
    const found = await discover(issuer).catch(async (error: unknown) => {
      const named = refusalOf(error, client).issuers?.found;
      // The metadata of both are at one address, so it is the same provider. Its tokens name the issuer as it does.
      if (named === undefined || !isSameIssuer(named, provider.issuer)) throw error;
      return await discover(new URL(named));
    });
    known = { server: found.serverMetadata(), until: world.monotonic() + DISCOVERED_FOR_MS };
    return known.server;
  }

  /**
   * Returns a configuration, a new one each time, with the current clock and with keys that the provider has not
   * replaced.
   */
  async function configuration(): Promise<Configuration> {
    const metadata = await server();
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const secret = provider.clientSecret;
    const authentication =
      secret === null
        ? client.None()
        : methods.includes('client_secret_basic')
          ? client.ClientSecretBasic(secret)
          : client.ClientSecretPost(secret);
    const own = {
      [client.clockSkew]: Math.round((now() - world.now()) / 1000),
      [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    };
    const config = new client.Configuration(metadata, provider.clientId, own, authentication);
    config[client.customFetch] = fetch;
    config.timeout = TIMEOUT_MS / 1000;
    if (isLoopback(issuer.hostname)) client.allowInsecureRequests(config);
    client.enableNonRepudiationChecks(config);
    return config;
  }

  /** Checks the claims that the library does not check. @throws ProviderFault */
  function assertUsable({ sub, iat }: IDToken): void {
    if (iat <= now() / 1000 + CLOCK_TOLERANCE_SECONDS && typeof readName(sub) === 'string') return;
    throw new ProviderFault('refused', 'The ID token is of the future, or names nobody. Check the clocks.');
  }

  async function asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw refusalOf(error, client);
    }
  }

  const tokensOf = (
    answer: Pick<TokenEndpointResponse, 'access_token' | 'id_token' | 'refresh_token'> & TokenEndpointResponseHelpers,
    before: Pick<CheckTokens, 'refreshToken' | 'groupsInIdToken' | 'idToken'>,
  ): CheckTokens => ({
    accessToken: answer.access_token,
    accessUntil: now() + (answer.expiresIn() ?? 0) * 1000,
    refreshToken: answer.refresh_token ?? before.refreshToken,
    groupsInIdToken: before.groupsInIdToken,
    idToken: answer.id_token ?? before.idToken,
  });

  const readClaims = (idToken: IDToken | null, userInfo: UserInfoResponse) => claimsOf(idToken, userInfo, groupsClaim);

  return {
    issuer: provider.issuer,
    readIssuer: () => asked(async () => (await server()).issuer),
    begin: () =>
      asked(async () => {
        const metadata = await server();
        const checks = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: scopesOf(metadata).join(' '),
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
          response_type: 'code',
        });
        return { url, checks };
      }),

    finish: (answer, checks) =>
      asked(async () => {
        const config = await configuration();
        const tokens = await client.authorizationCodeGrant(config, answer, {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.verifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (idToken === undefined || tokens.id_token === undefined)
          throw new ProviderFault('refused', 'The provider sent no ID token.');
        assertUsable(idToken);
        const userInfo = await client.fetchUserInfo(config, tokens.access_token, idToken.sub);
        const claims = readClaims(idToken, userInfo);
        const hasClaim = (source: object) => findClaim(source, groupsClaim) !== undefined;
        const isVerified = readClaims(null, userInfo).emailVerified === true;
        const groupsInIdToken =
          (!hasClaim(userInfo) && hasClaim(idToken)) || (needsVerified && claims.emailVerified === true && !isVerified);
        return {
          ...claims,
          subject: idToken.sub,
          sid: readName(idToken.sid) ?? null,
          tokens: tokensOf(tokens, { refreshToken: null, groupsInIdToken, idToken: tokens.id_token }),
        };
      }),

    check: (subject, tokens) =>
      asked(async () => {
        const config = await configuration();
        const isLive = now() < tokens.accessUntil - CLOCK_TOLERANCE_SECONDS * 1000;
        try {
          if (isLive && !tokens.groupsInIdToken) {
            const claims = readClaims(null, await client.fetchUserInfo(config, tokens.accessToken, subject));
            return { claims, tokens };
          }
          if (tokens.refreshToken === null) return null;
          const renewed = await client.refreshTokenGrant(config, tokens.refreshToken);
          const idToken = renewed.claims() ?? null;
          if (idToken !== null && idToken.sub !== subject) return null;
          if (idToken !== null) assertUsable(idToken);
          if (tokens.groupsInIdToken && idToken === null) return null;
          const claims = readClaims(idToken, await client.fetchUserInfo(config, renewed.access_token, subject));
          return { claims, tokens: tokensOf(renewed, tokens) };
        } catch (error) {
          if (refusalOf(error, client).kind === 'refused') return null;
          throw error;
        }
      }),

    signOutUrl: ({ idToken }) =>
      asked(async () => {
        if ((await server()).end_session_endpoint === undefined) return null;
        const parameters = { post_logout_redirect_uri: signedOutUri, id_token_hint: idToken };
        return client.buildEndSessionUrl(await configuration(), parameters).href;
      }),

    readLogout: (token) =>
      asked(async () => {
        const { issuer: named, jwks_uri: url, id_token_signing_alg_values_supported: algorithms = [] } = await server();
        if (url === undefined) throw new ProviderFault('refused', 'The provider publishes no keys.');
        if (keys?.url !== url)
          keys = {
            url,
            set: jose.createRemoteJWKSet(new URL(url), { [jose.customFetch]: fetch, timeoutDuration: TIMEOUT_MS }),
          };
        const { payload } = await jose.jwtVerify(token, keys.set, {
          issuer: named,
          audience: provider.clientId,
          algorithms: (Array.isArray(algorithms) ? algorithms : []).filter((name) =>
            /^(RS|PS|ES|Ed)/.test(String(name)),
          ),
          maxTokenAge: LOGOUT_TOKEN_SECONDS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(now()),
        });
        return readLogoutToken(payload);
      }),
  };
}

/** Returns the scopes that the provider knows: some refuse a request with other scopes. */
function scopesOf({ scopes_supported: supported }: ServerMetadata): string[] {
  const optional = ['email', 'profile', 'groups', 'offline_access'];
  const isKnown = (scope: string) =>
    Array.isArray(supported) ? supported.includes(scope) : /^(email|profile)$/.test(scope);
  return ['openid', ...optional.filter(isKnown)];
}

/**
 * Returns the fetch for the provider. The operator has named the issuer, so it may be at any address; addresses that it
 * names may not be private ones.
 */
function fetchOver(fetch: TrustedFetch, origin: string) {
  return async (url: string, request: { method?: string; headers?: unknown; body?: unknown; signal?: unknown }) => {
    const { status, headers, body } = await fetch(url, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(new Headers(request.headers as ConstructorParameters<typeof Headers>[0])),
      ...(request.body == null ? {} : { body: String(request.body) }),
      ...(request.signal instanceof AbortSignal ? { signal: request.signal } : {}),
      maxBytes: MOST_BYTES,
      timeoutMs: TIMEOUT_MS,
      allowOrigins: [origin],
    });
    const bytes = Buffer.concat(await body.toArray());
    return new Response(status === 204 || status === 304 ? null : bytes, { status, headers });
  };
}
