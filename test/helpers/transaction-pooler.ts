import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/**
 * A pooler of transactions in front of a PostgreSQL server, as strict as PgBouncer without prepared statements: it
 * refuses limits at the start of a connection, and each transaction gets another connection than the one before.
 * @param options.ignoresParameters drops what it does not know, instead of refusing it (`ignore_startup_parameters`)
 * @returns the server's address, through the pooler.
 */
export async function openTransactionPooler(
  t: Pick<TestContext, 'after'>,
  url: string,
  options: { readonly ignoresParameters: boolean },
): Promise<string> {
  const { hostname: host, port } = new URL(url);
  const pool = createPool(() => connect({ host, port: Number(port), noDelay: true }));
  const server = createServer({ noDelay: true }, (socket) => serveClient(socket, pool, options.ignoresParameters));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    pool.end();
  });
  const pooled = new URL(url);
  pooled.port = String((server.address() as { port: number }).port);
  return pooled.href;
}

const CONNECTIONS = 4;
const KNOWN_PARAMETERS = ['user', 'database', 'client_encoding', 'application_name'];
const IDLE = 'I'.charCodeAt(0);

interface ServerConnection {
  readonly socket: Socket;
  /** Receives its messages while a transaction uses it; the others are lost. */
  onMessage: ((type: string, message: Buffer) => void) | null;
}

interface ConnectionPool {
  /** The answer of the server to the start of a connection. */
  start(parameters: Buffer): Promise<Buffer>;
  /** The connection that was used longest ago. */
  take(): Promise<ServerConnection>;
  give(connection: ServerConnection): void;
  drop(connection: ServerConnection): void;
  end(): void;
}

function createPool(open: () => Socket): ConnectionPool {
  const idle: ServerConnection[] = [];
  const waiting: ((connection: ServerConnection) => void)[] = [];
  const sockets = new Set<Socket>();
  let greeting: Promise<Buffer> | null = null;
  let parametersOfAll: Buffer = Buffer.alloc(0);
  let hasEnded = false;

  function add(parameters: Buffer): Promise<Buffer> {
    const connection: ServerConnection = { socket: open(), onMessage: null };
    sockets.add(connection.socket);
    connection.socket
      .on('error', () => {})
      .on(
        'data',
        frames((type, message) => connection.onMessage?.(type, message)),
      );
    connection.socket.write(parameters);
    return new Promise((resolve) => {
      const messages: Buffer[] = [];
      connection.onMessage = (type, message) => {
        messages.push(message);
        if (type !== 'Z') return;
        give(connection);
        resolve(Buffer.concat(messages));
      };
    });
  }

  function give(connection: ServerConnection): void {
    connection.onMessage = null;
    const next = waiting.shift();
    if (next === undefined) idle.push(connection);
    else next(connection);
  }

  return {
    start(parameters) {
      parametersOfAll = parameters;
      greeting ??= Promise.all(Array.from({ length: CONNECTIONS }, () => add(parameters))).then(([first]) => first!);
      return greeting;
    },
    async take() {
      return idle.shift() ?? (await new Promise((resolve) => waiting.push(resolve)));
    },
    give,
    drop(connection) {
      connection.onMessage = null;
      connection.socket.destroy();
      sockets.delete(connection.socket);
      // Another one takes its place.
      if (!hasEnded) void add(parametersOfAll);
    },
    end() {
      hasEnded = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function serveClient(client: Socket, pool: ConnectionPool, ignoresParameters: boolean): void {
  let linked: ServerConnection | null = null;
  let isLinking = false;
  let held: Buffer[] = [];
  /** Requests that the server has not answered yet. */
  let unanswered = 0;

  const forward = (message: Buffer) => {
    if (linked !== null) return void linked.socket.write(message);
    held.push(message);
    if (isLinking) return;
    isLinking = true;
    void pool.take().then((connection) => {
      isLinking = false;
      linked = connection;
      connection.onMessage = (type, answer) => {
        client.write(answer);
        if (type !== 'Z' || --unanswered > 0 || answer[5] !== IDLE) return;
        linked = null;
        pool.give(connection);
      };
      connection.socket.write(Buffer.concat(held));
      held = [];
    });
  };

  client.on('error', () => {});
  client.on('close', () => {
    if (linked !== null) pool.drop(linked);
  });
  client.once('data', (start: Buffer) => {
    const parameters = readParameters(start);
    const unknown = Object.keys(parameters).find((name) => !KNOWN_PARAMETERS.includes(name));
    if (unknown !== undefined && !ignoresParameters) return void client.end(refusal(unknown));
    const { user = '', database = '' } = parameters;
    void pool.start(startMessage({ user, database })).then((greeting) => client.write(greeting));
    client.on(
      'data',
      frames((type, message) => {
        if (type === 'X') return void client.end();
        if (type === 'Q' || type === 'S') unanswered++;
        forward(message);
      }),
    );
  });
}

/** Cuts a stream into messages: a letter, the length of the rest, the rest. */
export function frames(take: (type: string, message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      take(String.fromCharCode(rest[0] ?? 0), rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}

function readParameters(start: Buffer): Record<string, string> {
  const words = start.subarray(8).toString().split('\0');
  const parameters: Record<string, string> = {};
  for (let at = 0; words[at]; at += 2) parameters[words[at] ?? ''] = words[at + 1] ?? '';
  return parameters;
}

function startMessage(parameters: Record<string, string>): Buffer {
  const text = Buffer.from(`${Object.entries(parameters).flat().join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + text.length, 0);
  head.writeUInt32BE(196_608, 4);
  return Buffer.concat([head, text]);
}

function refusal(parameter: string): Buffer {
  return errorMessage({ severity: 'FATAL', code: '08P01', text: `unsupported startup parameter: ${parameter}` });
}

/** The server's message of an error. */
export function errorMessage(error: {
  readonly severity: string;
  readonly code: string;
  readonly text: string;
}): Buffer {
  const { severity, code, text } = error;
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${text}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}
