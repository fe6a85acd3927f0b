import { spawn } from 'node:child_process';
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  callConsole,
  loginsFile,
  readLogin,
  saveLogin,
  trade,
} from '@darkroom-service/addition-common/commands/saved-login';
import { world } from '@darkroom-service/contract';
import {
  ask,
  type ClientSettings,
  CommandFault,
  inform,
  loadClientSettings,
  type OutputOptions,
  print,
  readEnvironment,
  show,
} from '@darkroom-service/darkroom/kernel-cli';

const WITHIN_MS = 600_000;
const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Darkroom</title><p>You are signed in. You can close this page.';

interface LoginOptions extends OutputOptions {
  readonly account?: string;
  readonly mode: 'live' | 'test';
  /** Whether to open a browser; false with `--no-browser`. */
  readonly browser: boolean;
}

interface Session {
  readonly sign_in_url: string | null;
  readonly person: Person | null;
}

interface Person {
  readonly person_id: string;
  readonly name: string;
  readonly memberships: readonly { readonly account_id: string | null; readonly role: string }[];
}

/**
 * Signs in through the browser (OAuth 2.0 for native apps: a loopback address and PKCE). The loopback address receives
 * a code, which only this process can use.
 * @throws CommandFault
 */
export async function logIn(options: LoginOptions): Promise<void> {
  const settings = loadClientSettings(readEnvironment());
  const { sign_in_url: address } = (await callConsole(settings, 'GET', '/console/session')) as Session;
  if (address === null)
    throw new CommandFault(`${settings.url} has no sign-in provider. Use an API key: set DARKROOM_API_KEY.`);
  const verifier = Buffer.from(world.randomBytes(32)).toString('base64url');
  const code = await askBrowser(address, verifier, options);
  const { session } = (await callConsole(settings, 'POST', '/console/session/command-line', {
    body: { code, verifier },
  })) as { readonly session: string };
  const { mode } = options;
  const { person, accountId, keyId, role } = await chosen(settings, session, options).catch(async (error: unknown) => {
    await endSession(settings, session);
    throw error;
  });
  await endSession(settings, readLogin(settings.url)?.session);
  const { name, person_id: personId } = person;
  saveLogin(settings.url, { session, accountId, mode, keyId, personId });
  show(options, {
    json: { url: settings.url, name, account_id: accountId, mode, role, file: loginsFile() },
    text: `Signed in at ${settings.url} as ${name}, ${role} in ${accountId}. Orders are ${mode} orders.`,
  });
}

/** Returns the account that the person works in, and the key of their orders there. */
async function chosen(settings: ClientSettings, session: string, { account, mode }: LoginOptions) {
  const { person } = (await callConsole(settings, 'GET', '/console/session', { session })) as Session;
  if (person === null) throw new CommandFault('The sign-in has ended already. Run "darkroom login" again.');
  const before = readLogin(settings.url);
  const remembered = before?.personId === person.person_id ? before.accountId : undefined;
  const accountId = await chooseAccount(person, account, remembered);
  const { key_id: keyId, role } = await trade(settings, { session, accountId, mode });
  return { person, accountId, keyId, role };
}

/** Ends the sign-in at the service and removes it here. */
export async function logOut(options: OutputOptions): Promise<void> {
  const settings = loadClientSettings(readEnvironment());
  const wasSignedIn = readLogin(settings.url) !== null;
  await endSession(settings, readLogin(settings.url)?.session);
  saveLogin(settings.url, null);
  const text = wasSignedIn ? `Signed out at ${settings.url}.` : `You are not signed in at ${settings.url}.`;
  show(options, { json: { signed_out: wasSignedIn }, text });
}

/** Ends a session: otherwise an unused one would stay open for a week. */
async function endSession(settings: ClientSettings, session: string | undefined): Promise<void> {
  if (session === undefined) return;
  await callConsole(settings, 'POST', '/console/session/end', { session, body: {} }).catch(() => {});
}

/**
 * Chooses the account to order in. With several accounts it asks: all members of an account see its orders.
 * @param remembered the account of this person's last login here
 */
async function chooseAccount(
  { memberships }: Person,
  wanted: string | undefined,
  remembered: string | undefined,
): Promise<string> {
  const accounts = memberships.flatMap(({ account_id }) => account_id ?? []);
  const which = accounts.length === 0 ? 'You have a role in no account.' : `Your accounts: ${accounts.join(', ')}.`;
  if (accounts.length === 0) throw new CommandFault(which);
  const isKnown = wanted === undefined && remembered !== undefined && accounts.includes(remembered);
  const only = accounts.length === 1 ? accounts[0] : undefined;
  const chosen =
    wanted ??
    (isKnown ? remembered : only) ??
    (await ask(`${which} Which one do you want to order in? `, `${which} Choose one with --account.`));
  if (accounts.includes(chosen)) return chosen;
  throw new CommandFault(`You have no role in the account '${chosen}'. ${which}`);
}

/** Waits on a loopback port until the browser brings the code. */
async function askBrowser(address: string, verifier: string, options: LoginOptions): Promise<string> {
  const state = Buffer.from(world.randomBytes(24)).toString('base64url');
  const arrived = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    // Null: no address at all, such as "//[".
    const target = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    const code = target?.searchParams.get('code') ?? null;
    if (target?.pathname !== '/' || code === null || !isSame(target.searchParams.get('state') ?? '', state)) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" };
    response.writeHead(200, { ...headers, connection: 'close', 'referrer-policy': 'no-referrer' }).end(PAGE, () => {
      arrived.resolve(code);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const timer = world.setTimeout(
    () => arrived.reject(new CommandFault('Nobody has signed in within ten minutes. Run "darkroom login" again.')),
    WITHIN_MS,
  );
  try {
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const url = new URL(address);
    const port = String((server.address() as AddressInfo).port);
    url.search = String(new URLSearchParams({ port, state, challenge }));
    inform(options, `Open this address in your browser to sign in:\n${url.href}`);
    if (options.json === true) print(url.href, process.stderr);
    if (options.browser) openBrowser(url.href);
    return await arrived.promise;
  } finally {
    world.clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
}

/** Opens the address in a browser if there is one; the address was printed in any case. */
function openBrowser(url: string): void {
  const programs: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
    darwin: ['open'],
    linux: ['xdg-open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [program, ...words] = programs[process.platform] ?? [];
  if (program === undefined) return;
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
