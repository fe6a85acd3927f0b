import assert from 'node:assert/strict';
import type { OidcProvider } from './oidc-provider.ts';
import type { TestService } from './service.ts';

/** The cookies of a browser, by name, without regard to their paths. */
export type Cookies = Map<string, string>;

export interface Visit {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

export type KeyWish = { readonly account_id: string | null; readonly mode: 'live' | 'test' | 'admin' };

/** Requests an address as a browser does, and follows redirects until one leads to `stopAt`. */
export async function visit(
  cookies: Cookies,
  address: string,
  {
    stopAt = () => false,
    ...form
  }: {
    readonly stopAt?: (url: string) => boolean;
    readonly body?: URLSearchParams;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Visit> {
  let url = address;
  for (let redirects = 0; ; redirects++) {
    assert.ok(redirects < 20, `too many redirects, last to ${url}`);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = redirects === 0 && form.body !== undefined ? { method: 'POST', body: form.body } : {};
    const headers = { ...(redirects === 0 ? form.headers : {}), cookie };
    const response = await fetch(url.split('#')[0] ?? url, { ...sent, redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const text = await response.text();
    if (location === null) return { status: response.status, url, headers: response.headers, text };
    const next = new URL(location, url).href;
    if (stopAt(next)) return { status: response.status, url: next, headers: response.headers, text };
    url = next;
  }
}

/** A browser whose person has signed in. */
export interface SignedIn {
  readonly cookies: Cookies;
  /** Trades the session for a bearer. */
  trade(wish: KeyWish): Promise<{
    readonly status: number;
    readonly data: Bearer;
    readonly error: { readonly code: string; readonly message: string };
  }>;
  /** Requests a bearer and asserts that it was granted. */
  bearer(wish: KeyWish): Promise<string>;
}

interface Bearer {
  readonly token: string;
  readonly expires_at: string;
  readonly role: string;
}

/** Signs a person in who may come in, perhaps by the link of an invitation. */
export async function signInAs(
  service: Pick<TestService, 'call' | 'url'>,
  provider: OidcProvider,
  sub: string,
  link = `${service.url}/console/sign-in`,
): Promise<SignedIn> {
  provider.signsIn = sub;
  const cookies: Cookies = new Map();
  const asked = await visit(cookies, link);
  const end = asked.text.includes('<form') ? await accept(cookies, asked) : asked;
  assert.equal(end.status, 200, end.text.slice(0, 2000));
  assert.ok(cookies.has('__Secure-darkroom-session'), `${end.url}\n${end.text.slice(0, 1000)}`);
  return browserOf(service, cookies);
}

/** Presses the only button of a page, such as of one that asks whether to accept an invitation. */
export async function accept(cookies: Cookies, { url, text }: Visit): Promise<Visit> {
  const [, action = '', name = '', value = ''] = /action="([^"]+)".*?name="([^"]+)" value="([^"]+)"/.exec(text) ?? [];
  const page = new URL(url);
  return await visit(cookies, action, {
    body: new URLSearchParams({ [name]: value }),
    headers: { origin: page.origin, 'sec-fetch-site': 'same-origin' },
  });
}

export function browserOf(service: Pick<TestService, 'call'>, cookies: Cookies): SignedIn {
  const trade: SignedIn['trade'] = async (wish) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await service.call(null, 'POST', '/console/session/bearer', wish, { cookie });
    return answer as unknown as Awaited<ReturnType<SignedIn['trade']>>;
  };
  return {
    cookies,
    trade,
    async bearer(wish) {
      const { status, data, error } = await trade(wish);
      assert.equal(status, 200, JSON.stringify(error));
      return data.token;
    },
  };
}
