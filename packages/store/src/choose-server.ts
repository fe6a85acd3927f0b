import { sleep, world } from '@darkroom-service/contract';
import { Client } from 'pg';
import { parseHosts, type ServerKind, serverOf } from './postgres-hosts.ts';

/** The server that a new connection goes to. */
export interface ServerChoice {
  readonly host: string;
  readonly port: number;
  /** Timeline of the server; one that takes over begins a higher one. 0 = unknown, or it accepts no writes. */
  readonly timeline: number;
  readonly target: ServerKind;
}

interface Server extends Omit<ServerChoice, 'target'> {
  readonly acceptsWrites: boolean;
}

/** Milliseconds for which connections that are opened after one another share one check of the servers. */
const SHARED_MS = 1_000;
const FAILURE_SHARED_MS = 100;
const ANSWER_MS = 2_000;
/** Milliseconds that the other servers have to answer after a suitable one did. */
const OTHERS_MS = 250;
const ROLE = "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only";
/** The first eight digits of a log file's name. */
const TIMELINE = "select ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint as timeline";

const looks = new Map<string, Promise<ServerChoice>>();
/** The highest timeline at which a server accepted writes, by URL. */
const timelines = new Map<string, number>();

/**
 * Asks the servers of a URL which of them is the right one. If several accept writes, the one that took over last is
 * chosen: an old primary that is started again accepts writes too. This process does not go back to a server that
 * another one has replaced.
 * @throws Error that counts as a lost connection if none is suitable
 */
export function chooseServer(url: string): Promise<ServerChoice> {
  const shared = looks.get(url);
  if (shared !== undefined) return shared;
  const choice = inspect(url);
  looks.set(url, choice);
  const forgetAfter = (ms: number) => void world.setTimeout(() => looks.delete(url), ms).unref();
  choice.then(
    () => forgetAfter(SHARED_MS),
    () => forgetAfter(FAILURE_SHARED_MS),
  );
  return choice;
}

async function inspect(url: string): Promise<ServerChoice> {
  const { urls = [], target } = parseHosts(url) ?? {};
  if (target === undefined || target === null) throw new Error('expected a URL of several PostgreSQL servers');
  const newest = timelines.get(url) ?? 0;
  const suits = ({ acceptsWrites, timeline }: Server) =>
    target === 'standby' ? !acceptsWrites : acceptsWrites && (timeline === 0 || timeline >= newest);
  /** Answers in the order of the URL; null while a server has not answered. */
  const answers: (Server | Error | null)[] = urls.map(() => null);
  const found = Promise.withResolvers<void>();
  const asked = urls.map(async (one, index) => {
    const answer = await ask(one).catch((error: unknown) => new Error(messageOf(error), { cause: error }));
    answers[index] = answer;
    if (!(answer instanceof Error) && suits(answer)) found.resolve();
  });
  await Promise.race([Promise.all(asked), found.promise.then(() => sleep(OTHERS_MS))]);
  const answered = answers.filter((answer) => answer !== null && !(answer instanceof Error)) as Server[];
  const suitable = answered.filter(suits).toSorted((a, b) => b.timeline - a.timeline);
  const [server] = target === 'standby' ? [...suitable, ...answered] : suitable;
  if (server === undefined) throw noServer(urls, answers);
  if (target === 'writes') timelines.set(url, Math.max(newest, server.timeline));
  return { host: server.host, port: server.port, timeline: server.timeline, target };
}

async function ask(url: string): Promise<Server> {
  const client = new Client({
    connectionString: url,
    application_name: 'darkroom look',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query(ROLE);
    const acceptsWrites = rows[0]?.is_read_only !== true;
    const timeline = acceptsWrites ? await timelineOf(client) : 0;
    return { host: client.host, port: client.port, acceptsWrites, timeline };
  } finally {
    void client.end().catch(() => {});
  }
}

/** Returns the timeline of a server; 0 if it lacks the function, as some servers of the protocol do. */
async function timelineOf(client: Client): Promise<number> {
  const { rows } = await client.query(TIMELINE).catch(() => ({ rows: [] }));
  return Number(rows[0]?.timeline ?? 0);
}

function noServer(urls: readonly string[], answers: readonly (Server | Error | null)[]): Error {
  const reasons = urls.map((url, index) => {
    const answer = answers[index];
    if (answer === null || answer === undefined) return `${serverOf(url)}: no answer`;
    if (answer instanceof Error) return `${serverOf(url)}: ${answer.message}`;
    return `${serverOf(url)}: ${answer.acceptsWrites ? 'another server has replaced it' : 'a standby or read-only'}`;
  });
  return Object.assign(new Error(`no server accepts writes (${reasons.join('; ')})`), { code: 'EHOSTUNREACH' });
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
