import { connect, type Socket } from 'node:net';
import type { Refusal } from './service.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly error: Refusal;
}

/** A connection on which a test writes what no HTTP client would send. */
export interface RawConnection {
  write(bytes: string): void;
  /** What came until the other side closed the connection; an answer with a JSON body, or none. */
  readonly answer: Promise<RawAnswer>;
  close(): void;
}

export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let text = '';
  const answer = new Promise<RawAnswer>((resolve) => {
    const read = () => resolve(readAnswer(text));
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      if (isWhole(text)) read();
    });
    socket.on('error', () => {});
    socket.on('close', read);
  });
  void answer.then(() => socket.destroy());
  return { write: (bytes) => void socket.write(bytes, 'latin1'), answer, close: () => socket.destroy() };
}

/** Sends bytes and reads the one answer. */
export async function sendRaw(url: string, bytes: string): Promise<RawAnswer> {
  const connection = await openRaw(url);
  connection.write(bytes);
  return await connection.answer;
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = Number(/^content-length: (\d+)$/im.exec(text.slice(0, end))?.[1] ?? Number.NaN);
  return Buffer.byteLength(text.slice(end + 4)) >= length;
}

function readAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const content = rest.join('\r\n\r\n');
  const body = headers.get('content-type')?.startsWith('application/json') === true ? JSON.parse(content) : content;
  return { status: Number(first.split(' ')[1] ?? 0), headers, body, error: body?.error };
}
