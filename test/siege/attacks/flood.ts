import { Agent, request } from 'node:http';

/** One request as an attack sends it. */
export interface Shot {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface FloodOptions {
  readonly url: string;
  readonly connections: number;
  readonly most: number;
  readonly signal: AbortSignal;
  readonly shot: (turn: number) => Shot;
}

/**
 * Sends requests over several connections until `most` are sent or the signal ends it.
 * @returns how often which status was answered.
 */
export async function flood({ url, connections, most, signal, shot }: FloodOptions): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers = new Map<string, number>();
  let sent = 0;
  const work = async () => {
    while (!signal.aborted && sent < most) {
      const answer = await fire(url, agent, shot(sent++), signal);
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return describeAnswers(answers);
}

/** The status, or the code of the fault that ended the exchange. */
export async function fire(url: string, agent: Agent, shot: Shot, signal: AbortSignal): Promise<string> {
  return await new Promise((resolve) => {
    const { method = shot.body === undefined ? 'GET' : 'POST', path, headers = {}, body } = shot;
    const isMeasured = body !== undefined && !('transfer-encoding' in headers);
    const length = isMeasured ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const call = request(url, { agent, method, path, headers: { ...headers, ...length }, signal }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
      response.on('error', () => resolve('cut off'));
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve(signal.aborted ? 'ended' : (error.code ?? 'failed')));
    call.end(body);
  });
}

export function describeAnswers(answers: ReadonlyMap<string, number>): string {
  return [...answers].map(([answer, times]) => `${times} × ${answer}`).join(', ') || 'nothing answered';
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}
