import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { reasonOf, world } from '@darkroom-service/contract';
import type { Session } from '@darkroom-service/darkroom/kernel';
import {
  type CarrierEvents,
  digestOfChannel,
  KeptConnection,
  type Notice,
  type NoticeCarrier,
  type NoticeConnection,
} from '@darkroom-service/store';
import type { Subscription } from '@nats-io/transport-node';
import { type NatsServers, parseNatsUrl } from './nats-url.ts';

const DEFAULT_PORT = 4_222;
const CONNECT_TIMEOUT_MS = 2_000;
/** Interval of pings; two without an answer end the connection. */
const PING_EVERY_MS = 15_000;

interface CarrierOptions {
  readonly url: string;
  /** Session that reads the id of the installation, with which subjects begin. The first start makes it. */
  readonly read: Session;
}

interface NatsNotices extends NoticeConnection {
  send(notices: readonly Notice[]): void;
}

/**
 * Carries notices by the subjects of a NATS server, without its storage. It connects in the background; while there is
 * no connection, notices are lost.
 */
export function openNatsNotices({ url, read }: CarrierOptions, events: CarrierEvents): NoticeCarrier {
  const servers = parseNatsUrl(url);
  const kept: KeptConnection<NatsNotices> = new KeptConnection(async () => {
    const installation = await read.first(read.builder.selectFrom('installation').select('id'));
    if (installation === undefined) return null;
    const onRefusal = (error: unknown) => kept.recordFault(error, 'the NATS server refuses notices');
    return await openConnection(servers, `darkroom.${installation.id}`, { onNotice: events.onNotice, onRefusal });
  }, events);
  return {
    sends: true,
    listens: true,
    mostChannels: Number.POSITIVE_INFINITY,
    get fault() {
      return kept.fault;
    },
    send: async (notices) => kept.current?.send(notices),
    listen: (added, removed) => kept.listen(added, removed),
    close: () => kept.close(),
  };
}

/**
 * Checks that NATS can be reached with these credentials.
 * @throws Error if no server answers, or the first that does refuses these credentials
 */
export async function assertNatsAnswers(url: string): Promise<void> {
  const connection = await openConnection(parseNatsUrl(url), 'darkroom', { onNotice: () => {}, onRefusal: () => {} });
  await connection.close();
}

async function openConnection(
  servers: NatsServers,
  prefix: string,
  { onNotice, onRefusal }: { onNotice: CarrierEvents['onNotice']; onRefusal: (error: unknown) => void },
): Promise<NatsNotices> {
  const server = await findServer(servers);
  // Loaded only where it is used, because most installations need no NATS.
  const { connect } = await import('@nats-io/transport-node');
  const connection = await connect({
    servers: server,
    ...servers.credentials,
    ...(servers.isTls ? { tls: {} } : {}),
    name: 'darkroom',
    noEcho: true,
    reconnect: false,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_EVERY_MS,
  });
  const lost = connection.closed().then((error): never => {
    throw error instanceof Error ? error : new Error('the connection was closed');
  });
  // Awaited by its user; a rejection before that must not count as unhandled.
  lost.catch(() => {});
  void (async () => {
    // Such as a subject that the user may not use: the connection stays open.
    for await (const status of connection.status()) if (status.type === 'error') onRefusal(status.error);
  })();
  const subjectOf = (channel: string) => `${prefix}.${digestOfChannel(channel)}`;
  const subscriptions = new Map<string, Subscription>();
  return {
    lost,
    send(notices) {
      if (connection.isClosed()) return;
      for (const { channel, text } of notices) connection.publish(subjectOf(channel), text);
    },
    async listen(added, removed) {
      for (const channel of removed) {
        subscriptions.get(channel)?.unsubscribe();
        subscriptions.delete(channel);
      }
      for (const channel of added) {
        if (subscriptions.has(channel)) continue;
        const callback = (error: Error | null, message: { string(): string }) => {
          if (error === null) onNotice(message.string());
        };
        subscriptions.set(channel, connection.subscribe(subjectOf(channel), { callback }));
      }
      // The library leaves this open after a lost connection.
      await Promise.race([connection.flush(), lost]);
    },
    // A lost connection needs no end.
    close: () => connection.close().catch(() => {}),
  };
}

/**
 * Returns the server that answers first. The library would leave a socket open for each attempt at a server that hangs.
 */
async function findServer({ urls }: NatsServers): Promise<string> {
  const answers = urls.map(async ({ host, hostname, port }) => {
    const socket = openSocket(Number(port || DEFAULT_PORT), hostname.replace(/^\[|\]$/g, ''));
    socket.on('error', () => {});
    try {
      await once(socket, 'data', { signal: world.timeout(CONNECT_TIMEOUT_MS) });
      return host;
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'AbortError';
      throw isLate ? new Error(`expected ${host} to answer within ${CONNECT_TIMEOUT_MS} ms, found nothing`) : error;
    } finally {
      socket.destroy();
    }
  });
  return await Promise.any(answers).catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
}
