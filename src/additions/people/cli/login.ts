import { spawn } from 'node:child_process';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandFault } from '../../../cli/command-fault.ts';
import { callConsole, trade } from '../../../cli/login-bearer.ts';
import { type OutputOptions, show, tell } from '../../../cli/output.ts';
import { loginsFile, readLogin, saveLogin } from '../../../cli/saved-login.ts';
import { type ClientSettings, loadClientSettings } from '../../../service/config/client-settings.ts';
import { readEnvironment } from '../../../service/config/environment.ts';
import type { LoginOptions } from './login-command.ts';

const WITHIN_MS = 600_000;
const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Darkroom</title><p>You are signed in. You can close this page.';

interface Session {
  readonly sign_in_url: string | null;
  readonly person: {
    readonly name: string;
    readonly memberships: readonly { readonly account_id: string | null; readonly role: string }[];
  } | null;
}

/**
 * Signs in through the browser (OAuth 2.0 for native apps: a loopback address and PKCE). What comes back over it is a
 * code, which only this process can use. @throws CommandFault
 */
export async function logIn(options: LoginOptions): Promise<void> {
  const settings = loadClientSettings(readEnvironment());
  const { sign_in_url: address } = (await callConsole(settings, 'GET', '/console/session')) as Session;
  if (address === null)
    throw new CommandFault(`${settings.url} has no sign-in provider. Use an API key: set DARKROOM_API_KEY.`);
  const verifier = randomBytes(32).toString('base64url');
  const code = await askBrowser(address, verifier, options);
  const { session } = (await callConsole(settings, 'POST', '/console/session/command-line', {
    body: { code, verifier },
  })) as { readonly session: string };
  const { person } = (await callConsole(settings, 'GET', '/console/session', { session })) as Session;
  const accountId = chooseAccount(person, options.account);
  const { key_id: keyId, role } = await trade(settings, { session, accountId, mode: options.mode });
  await endSession(settings);
  saveLogin(settings.url, { session, accountId, mode: options.mode, keyId });
  const name = person?.name ?? '';
  show(options, {
    json: { url: settings.url, name, account_id: accountId, mode: options.mode, role, file: loginsFile() },
    text: `Signed in at ${settings.url} as ${name}, ${role} in ${accountId}. Orders are ${options.mode} orders.`,
  });
}

/** Ends the sign-in at the service and forgets it. */
export async function logOut(options: OutputOptions): Promise<void> {
  const settings = loadClientSettings(readEnvironment());
  const wasSignedIn = readLogin(settings.url) !== null;
  await endSession(settings);
  saveLogin(settings.url, null);
  const text = wasSignedIn ? `Signed out at ${settings.url}.` : `You are not signed in at ${settings.url}.`;
  show(options, { json: { signed_out: wasSignedIn }, text });
}

/** A session that is replaced would else stay open for a week. */
async function endSession(settings: ClientSettings): Promise<void> {
  const login = readLogin(settings.url);
  if (login === null) return;
  await callConsole(settings, 'POST', '/console/session/end', { session: login.session, body: {} }).catch(() => {});
}

function chooseAccount(person: Session['person'], wish: string | undefined): string {
  const accounts = (person?.memberships ?? []).flatMap(({ account_id }) => account_id ?? []);
  const chosen = wish ?? accounts[0];
  if (chosen !== undefined && accounts.includes(chosen)) return chosen;
  const which = accounts.length === 0 ? 'You have a role in no account.' : `Your accounts: ${accounts.join(', ')}.`;
  throw new CommandFault(wish === undefined ? which : `You have no role in the account '${wish}'. ${which}`);
}

/** Waits on a loopback port for the browser to bring the code. */
async function askBrowser(address: string, verifier: string, options: LoginOptions): Promise<string> {
  const state = randomBytes(24).toString('base64url');
  const arrived = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const code = searchParams.get('code');
    if (pathname !== '/' || code === null || !isSame(searchParams.get('state') ?? '', state)) {
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
  const timer = setTimeout(
    () => arrived.reject(new CommandFault('Nobody has signed in within ten minutes. Run "darkroom login" again.')),
    WITHIN_MS,
  );
  try {
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const url = new URL(address);
    const port = String((server.address() as AddressInfo).port);
    url.search = String(new URLSearchParams({ port, state, challenge }));
    tell(options, `Open this address in your browser to sign in:\n${url.href}`);
    if (options.json === true) process.stderr.write(`${url.href}\n`);
    if (options.browser) openBrowser(url.href);
    return await arrived.promise;
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
}

/** Where there is no browser, the address was printed. */
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
