import {
  type ClientSettings,
  CommandFault,
  explainAsCommand,
  OWN_COMMAND,
  parseKey,
  START_COMMAND,
} from '@darkroom-service/darkroom/kernel-cli';

/** Fault of a command that got no answer: it is unknown whether the service received the request. */
export class UnreachableFault extends CommandFault {
  /** Whether certainly nothing was sent. */
  readonly refused: boolean;

  constructor(message: string, refused: boolean, cause: unknown) {
    super(message, { cause, document: { error: { code: 'unreachable', message } } });
    this.refused = refused;
  }
}

/** A refusal by the service, with its message. */
export class RefusedFault extends CommandFault {
  readonly status: number;

  constructor(message: string, status: number, error: object) {
    super(message, { document: { error } });
    this.status = status;
  }
}

type ErrorShape = Parameters<typeof explainAsCommand>[0] & { readonly code: string };

/** Error codes for which nothing was sent, because no server listens. */
const NOBODY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
/** Error codes for which TLS was begun, and the answer was not TLS. */
const PLAIN_HTTP = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'];
/** Statuses of a proxy that got no answer from the service. Whether the service got the request is unknown. */
const PROXY_FAILURES = [502, 503, 504];
const CERTIFICATE = /CERT|^ERR_TLS|UNABLE_TO_VERIFY/;

/** Creates the fault for a request that got no answer. */
export function unreachable(url: string, error: unknown): UnreachableFault {
  const { code = '', message = '' } = (error as { cause?: { code?: string; message?: string } }).cause ?? {};
  if (NOBODY.includes(code)) {
    const text = `Nothing answers at ${url}. Is the service running? Start it with: ${START_COMMAND}. If it runs elsewhere, set DARKROOM_URL.`;
    return new UnreachableFault(text, true, error);
  }
  if (PLAIN_HTTP.includes(code) || message.includes('wrong version number')) {
    const text = `${url} answers with http, not https. Set DARKROOM_URL=${url.replace(/^https:/, 'http:')}.`;
    return new UnreachableFault(text, true, error);
  }
  if (CERTIFICATE.test(code)) {
    const text = `The certificate of ${url} is not trusted (${code}). If your own authority signed it, set NODE_EXTRA_CA_CERTS to its certificate file.`;
    return new UnreachableFault(text, true, error);
  }
  return new UnreachableFault(`The connection to ${url} broke: ${message || code || String(error)}`, false, error);
}

/** Creates the fault for a response that is no success. */
export async function refusal(response: Response, settings: ClientSettings): Promise<CommandFault> {
  const body = (await readJson(response)) as { readonly error?: object } | null;
  const error = body?.error;
  if (error === undefined || !isErrorShape(error)) {
    if (!PROXY_FAILURES.includes(response.status)) return notDarkroom(response.url);
    const message = `${settings.url} answered ${response.status}, but not as Darkroom does: something in front of the service cannot reach it.`;
    return new UnreachableFault(message, false, null);
  }
  const hint = keyHint(response, settings);
  return new RefusedFault(
    `${explainAsCommand(error)} (${error.code})${hint === null ? '' : `\n${hint}`}`,
    response.status,
    error,
  );
}

/** Creates the fault for an answer that cannot be Darkroom's. */
export function notDarkroom(url: string): CommandFault {
  return new CommandFault(`The answer of ${url} is not Darkroom's. Does DARKROOM_URL point to the service?`);
}

/** Reads the body of an answer; null if it is no JSON. */
export async function readJson(response: Response): Promise<object | null> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' ? body : null;
  } catch {
    return null;
  }
}

function isErrorShape(error: object): error is ErrorShape {
  return 'code' in error && 'message' in error;
}

/** Returns the kind of key that the request needs, if it was refused for its key; else null. */
function keyHint({ status, url }: Response, { apiKey, url: service }: ClientSettings): string | null {
  const isOfOperator = url.includes('/admin/v1/');
  const isAdmin = apiKey !== null && parseKey(apiKey)?.mode === 'admin';
  if (status !== 401 && (status !== 403 || isOfOperator === isAdmin)) return null;
  const kind = isOfOperator ? 'an admin key' : 'a test or live key';
  const mode = isOfOperator ? 'admin' : 'test';
  const command = `export DARKROOM_API_KEY=$(${OWN_COMMAND} keys create --mode ${mode} --plain)`;
  const login = isOfOperator || status === 403 ? '' : ', or sign in: darkroom login';
  if (status === 403) return `This command needs ${kind} in DARKROOM_API_KEY. Create one: ${command}`;
  return apiKey === null
    ? `DARKROOM_API_KEY is not set. This command needs ${kind}. Create one: ${command}${login}`
    : `${service} does not know the key in DARKROOM_API_KEY. Create ${kind}: ${command}`;
}
