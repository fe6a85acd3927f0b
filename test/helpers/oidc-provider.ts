import { createPrivateKey, generateKeyPairSync, type JsonWebKeyInput, sign } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type JWK, Provider } from 'oidc-provider';

/** A person whom the OpenID provider knows. */
export interface OidcPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

const CLIENT_ID = 'darkroom';
const CLIENT_SECRET = 'a-secret-of-the-client-for-tests';

/** A provider that others wrote. Whoever comes is signed in at once, as `signsIn`. */
export interface OidcProvider {
  readonly issuer: string;
  /** The settings of a service whose people sign in here. */
  readonly env: Readonly<Record<string, string>>;
  /** Who signs in next. */
  signsIn: string;
  readonly people: Map<string, OidcPerson>;
  /** The requests that have come, by path. */
  readonly asked: string[];
  /** Answers every request with 503 instead. */
  isAway: boolean;
  /** Signs with another key from now on; the one before is published still, or not. */
  rotateKeys(options: { readonly keepsOld: boolean }): void;
  /** To be called once the address of the service is known. */
  serve(serviceUrl: string): void;
  /** Changes an answer before it is sent. */
  tamper: ((path: string, answer: Record<string, unknown>) => void) | null;
  /** Signs a token with the key of now, or with one that is no longer published. */
  sign(claims: object, key: 'current' | 'withdrawn', head?: object): string;
  /** Tells the service that a session has ended, as its specification says. */
  logOut(sub: string, sid: string): Promise<void>;
}

export async function startOidcProvider(t: Pick<TestContext, 'after'>): Promise<OidcProvider> {
  let handle: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    running.asked.push(path);
    if (running.isAway) response.writeHead(503, { connection: 'close' }).end();
    else handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const withdrawn = newKey('withdrawn');
  let keys: JWK[] = [newKey('first')];
  let serviceUrl = '';
  let provider: Provider | null = null;
  const serve = () => {
    provider = createProvider(issuer, serviceUrl, keys, running);
    const callback = provider.callback();
    handle = (request, response) => void callback(request, response);
  };
  const running: OidcProvider = {
    issuer,
    env: {
      DARKROOM_OIDC_ISSUER: issuer,
      DARKROOM_OIDC_CLIENT_ID: CLIENT_ID,
      DARKROOM_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    },
    signsIn: '',
    people: new Map(),
    asked: [],
    isAway: false,
    tamper: null,
    rotateKeys({ keepsOld }) {
      keys = [newKey(`key-${keys.length}-${process.hrtime.bigint()}`), ...(keepsOld ? keys : [])];
      serve();
    },
    serve(url) {
      serviceUrl = url;
      serve();
    },
    sign(claims, which, head = {}) {
      const key = which === 'current' ? (keys[0] as JWK) : withdrawn;
      const header = { alg: 'RS256', kid: key.kid, ...head };
      const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      const signature = sign(
        'sha256',
        Buffer.from(parts),
        createPrivateKey({ key: key as JsonWebKeyInput['key'], format: 'jwk' }),
      );
      return `${parts}.${signature.toString('base64url')}`;
    },
    async logOut(sub, sid) {
      const client = await provider?.Client.find(CLIENT_ID);
      await (client as unknown as { backchannelLogout(sub: string, sid: string): Promise<void> }).backchannelLogout(
        sub,
        sid,
      );
    },
  };
  return running;
}

function createProvider(issuer: string, serviceUrl: string, keys: JWK[], running: OidcProvider): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${serviceUrl}/console/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        post_logout_redirect_uris: [`${serviceUrl}/`],
        backchannel_logout_uri: `${serviceUrl}/console/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys },
    cookies: { keys: ['cookies of a test'] },
    scopes: ['openid', 'offline_access', 'email', 'profile', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          const button = '<button form="op.logoutForm" name="logout" value="yes">Sign out everywhere</button>';
          ctx.body = `<!DOCTYPE html><html lang="en"><title>Provider</title>${form}${button}`;
        },
      },
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Its own refuses to call addresses of this machine.
    fetch: async (address, { dispatcher: _, ...request }: RequestInit & { dispatcher?: unknown } = {}) =>
      await fetch(address, request),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, IdToken: 3600, Session: 86_400, Grant: 86_400, RefreshToken: 86_400, Interaction: 3600 },
    findAccount: (_ctx, sub) => {
      const person = running.people.get(sub);
      return person === undefined ? undefined : { accountId: sub, claims: async () => ({ ...person }) };
    },
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        ...(client === undefined ? {} : { clientId: client.clientId }),
        ...(session?.accountId === undefined ? {} : { accountId: session.accountId }),
      });
      grant.addOIDCScope('openid email profile groups offline_access');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    if (ctx.path.startsWith('/interaction/')) {
      const result = { login: { accountId: running.signsIn } };
      ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result));
      return;
    }
    await next();
    if (running.tamper !== null && typeof ctx.body === 'object')
      running.tamper(ctx.path, ctx.body as Record<string, unknown>);
  });
  return provider;
}

function newKey(kid: string): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } as JWK;
}
