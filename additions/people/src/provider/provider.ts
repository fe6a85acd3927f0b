import { world } from '@darkroom-service/contract';
import { isLoopback, type TrustedFetch } from '@darkroom-service/media';
import { loadPart } from '@darkroom-service/media/process';
import type * as JoseLibrary from 'jose';
import type * as OpenidClient from 'openid-client';
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
import { fetchOver, TIMEOUT_MS } from './provider-fetch.ts';
import type { CheckTokens, SignedIn, SignInChecks } from './signed-in.ts';

interface ProviderOptions {
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

type Client = typeof OpenidClient;
type Jose = typeof JoseLibrary;

const CLOCK_TOLERANCE_SECONDS = 60;
const DISCOVERED_FOR_MS = 600_000;
const LOGOUT_TOKEN_SECONDS = 300;

/**
 * The OpenID Connect provider. All its calls are made by `openid-client`. It is *discovered* by the first call, and
 * again after some time (`#server`). Its keys are loaded by the first logout token (`readLogout`).
 */
export class Provider {
  /** Issuer as it is configured: with the subject, it names a person. */
  readonly issuer: string;
  readonly #options: ProviderOptions;
  readonly #client: Client;
  readonly #jose: Jose;
  readonly #fetch: ReturnType<typeof fetchOver>;
  #discovered: { readonly server: ServerMetadata; readonly until: number } | null = null;
  #keys: { readonly url: string; readonly set: ReturnType<Jose['createRemoteJWKSet']> } | null = null;

  /** Opens the provider; it is not contacted before somebody signs in. */
  static async open(options: ProviderOptions): Promise<Provider> {
    return new Provider(options, ...(await loadPart(() => Promise.all([import('openid-client'), import('jose')]))));
  }

  private constructor(options: ProviderOptions, client: Client, jose: Jose) {
    this.issuer = options.provider.issuer;
    this.#options = options;
    this.#client = client;
    this.#jose = jose;
    this.#fetch = fetchOver(options.fetch, new URL(this.issuer).origin);
  }

  /** Returns the issuer as the provider writes it, perhaps with a different trailing slash. @throws ProviderFault */
  async readIssuer(): Promise<string> {
    return await this.#asked(async () => (await this.#server()).issuer);
  }

  async begin(): Promise<{ readonly url: URL; readonly checks: SignInChecks }> {
    const client = this.#client;
    return await this.#asked(async () => {
      const metadata = await this.#server();
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(await this.#configuration(), {
        redirect_uri: this.#options.redirectUri,
        scope: scopesOf(metadata).join(' '),
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        response_type: 'code',
      });
      return { url, checks };
    });
  }

  /** @param answer the address with which the browser returned @throws ProviderFault */
  async finish(answer: URL, checks: SignInChecks): Promise<SignedIn> {
    return await this.#asked(async () => {
      const config = await this.#configuration();
      const tokens = await this.#client.authorizationCodeGrant(config, answer, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (idToken === undefined || tokens.id_token === undefined)
        throw new ProviderFault('refused', 'The provider sent no ID token.');
      this.#assertUsable(idToken);
      const userInfo = await this.#client.fetchUserInfo(config, tokens.access_token, idToken.sub);
      const claims = this.#readClaims(idToken, userInfo);
      const groupsInIdToken = this.#isInIdTokenOnly(idToken, userInfo, claims);
      return {
        ...claims,
        subject: idToken.sub,
        sid: readName(idToken.sid) ?? null,
        tokens: this.#tokensOf(tokens, { refreshToken: null, groupsInIdToken, idToken: tokens.id_token }),
      };
    });
  }

  /**
   * Asks the provider again about a signed-in person.
   * @returns null if the provider no longer vouches for them
   * @throws ProviderFault if it does not answer
   */
  async check(
    subject: string,
    tokens: CheckTokens,
  ): Promise<{ readonly claims: Claims; readonly tokens: CheckTokens } | null> {
    const client = this.#client;
    return await this.#asked(async () => {
      const config = await this.#configuration();
      const isLive = this.#options.now() < tokens.accessUntil - CLOCK_TOLERANCE_SECONDS * 1000;
      try {
        if (isLive && !tokens.groupsInIdToken) {
          const claims = this.#readClaims(null, await client.fetchUserInfo(config, tokens.accessToken, subject));
          return { claims, tokens };
        }
        if (tokens.refreshToken === null) return null;
        const renewed = await client.refreshTokenGrant(config, tokens.refreshToken);
        const idToken = renewed.claims() ?? null;
        if (idToken !== null && idToken.sub !== subject) return null;
        if (idToken !== null) this.#assertUsable(idToken);
        if (tokens.groupsInIdToken && idToken === null) return null;
        const claims = this.#readClaims(idToken, await client.fetchUserInfo(config, renewed.access_token, subject));
        return { claims, tokens: this.#tokensOf(renewed, tokens) };
      } catch (error) {
        if (refusalOf(error, client).kind === 'refused') return null;
        throw error;
      }
    });
  }

  /** Returns the page that ends the provider's own session; null if it has none. @throws ProviderFault */
  async signOutUrl({ idToken }: CheckTokens): Promise<string | null> {
    return await this.#asked(async () => {
      if ((await this.#server()).end_session_endpoint === undefined) return null;
      const parameters = { post_logout_redirect_uri: this.#options.signedOutUri, id_token_hint: idToken };
      return this.#client.buildEndSessionUrl(await this.#configuration(), parameters).href;
    });
  }

  /** Checks a logout token. @throws ProviderFault */
  async readLogout(token: string): Promise<LogoutToken> {
    const { jwtVerify, createRemoteJWKSet, customFetch } = this.#jose;
    return await this.#asked(async () => {
      const server = await this.#server();
      const { issuer, jwks_uri: url, id_token_signing_alg_values_supported: algorithms = [] } = server;
      if (url === undefined) throw new ProviderFault('refused', 'The provider publishes no keys.');
      if (this.#keys?.url !== url) {
        const set = createRemoteJWKSet(new URL(url), { [customFetch]: this.#fetch, timeoutDuration: TIMEOUT_MS });
        this.#keys = { url, set };
      }
      const { payload } = await jwtVerify(token, this.#keys.set, {
        issuer,
        audience: this.#options.provider.clientId,
        algorithms: (Array.isArray(algorithms) ? algorithms : []).filter((name) => /^(RS|PS|ES|Ed)/.test(String(name))),
        maxTokenAge: LOGOUT_TOKEN_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(this.#options.now()),
      });
      return readLogoutToken(payload);
    });
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw refusalOf(error, this.#client);
    }
  }

  async #server(): Promise<ServerMetadata> {
    if (this.#discovered !== null && world.monotonic() < this.#discovered.until) return this.#discovered.server;
    const found = await this.#discover(new URL(this.issuer)).catch(async (error: unknown) => {
      const named = refusalOf(error, this.#client).issuers?.found;
      // The metadata of both are at one address, so it is the same provider. Its tokens name the issuer as it does.
      if (named === undefined || !isSameIssuer(named, this.issuer)) throw error;
      return await this.#discover(new URL(named));
    });
    this.#discovered = { server: found.serverMetadata(), until: world.monotonic() + DISCOVERED_FOR_MS };
    return this.#discovered.server;
  }

  async #discover(address: URL): Promise<Configuration> {
    const client = this.#client;
    return await client.discovery(address, this.#options.provider.clientId, undefined, client.None(), {
      [client.customFetch]: this.#fetch,
      execute: this.#isLoopback() ? [client.allowInsecureRequests] : [],
      timeout: TIMEOUT_MS / 1000,
    });
  }

  /**
   * Returns a configuration, a new one each time, with the current clock and with keys that the provider has not
   * replaced.
   */
  async #configuration(): Promise<Configuration> {
    const client = this.#client;
    const { provider, now } = this.#options;
    const metadata = await this.#server();
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
    config[client.customFetch] = this.#fetch;
    config.timeout = TIMEOUT_MS / 1000;
    if (this.#isLoopback()) client.allowInsecureRequests(config);
    client.enableNonRepudiationChecks(config);
    return config;
  }

  #isLoopback(): boolean {
    return isLoopback(new URL(this.issuer).hostname);
  }

  /** Checks the claims that the library does not check. @throws ProviderFault */
  #assertUsable({ sub, iat }: IDToken): void {
    if (iat <= this.#options.now() / 1000 + CLOCK_TOLERANCE_SECONDS && typeof readName(sub) === 'string') return;
    throw new ProviderFault('refused', 'The ID token is of the future, or names nobody. Check the clocks.');
  }

  #readClaims(idToken: IDToken | null, userInfo: UserInfoResponse): Claims {
    return claimsOf(idToken, userInfo, this.#options.groupsClaim);
  }

  /** Tells whether a claim that lets the person in came with the ID token only. */
  #isInIdTokenOnly(idToken: IDToken, userInfo: UserInfoResponse, { emailVerified }: Claims): boolean {
    const { groupsClaim, needsVerified } = this.#options;
    const hasGroups = (source: object) => findClaim(source, groupsClaim) !== undefined;
    if (!hasGroups(userInfo) && hasGroups(idToken)) return true;
    return needsVerified && emailVerified === true && this.#readClaims(null, userInfo).emailVerified !== true;
  }

  #tokensOf(
    answer: Pick<TokenEndpointResponse, 'access_token' | 'id_token' | 'refresh_token'> & TokenEndpointResponseHelpers,
    before: Pick<CheckTokens, 'refreshToken' | 'groupsInIdToken' | 'idToken'>,
  ): CheckTokens {
    return {
      accessToken: answer.access_token,
      accessUntil: this.#options.now() + (answer.expiresIn() ?? 0) * 1000,
      refreshToken: answer.refresh_token ?? before.refreshToken,
      groupsInIdToken: before.groupsInIdToken,
      idToken: answer.id_token ?? before.idToken,
    };
  }
}

/** Returns the scopes that the provider knows: some refuse a request with other scopes. */
function scopesOf({ scopes_supported: supported }: ServerMetadata): string[] {
  const optional = ['email', 'profile', 'groups', 'offline_access'];
  const isKnown = (scope: string) =>
    Array.isArray(supported) ? supported.includes(scope) : /^(email|profile)$/.test(scope);
  return ['openid', ...optional.filter(isKnown)];
}
