import type { Readable } from 'node:stream';
import { AnswerFault, answerFault } from './answer-fault.ts';
import type { Answer, Transport } from './transport.ts';

/** Facts about a file from a hub's headers. */
interface RemoteFacts {
  readonly bytes: number;
  /** Whether the host sends parts of files; false: whole files only. */
  readonly hasRanges: boolean;
  /** Commit of 40 digits. */
  readonly revision: string | null;
  readonly sha256: string | null;
  /** Text that changes with the content; null = not reported. */
  readonly version: string | null;
}

/** Reads parts of a file. Remembers the targets of redirects, and asks again when such an address has expired. */
export interface RemoteFile {
  readonly facts: RemoteFacts;
  /**
   * Opens the bytes from `start` up to `end`, which is excluded.
   * @throws AnswerFault, or the connection's error.
   */
  open(start: number, end: number, signal: AbortSignal): Promise<Readable>;
}

/** Asks for the first byte, since signed addresses refuse HEAD. @throws AnswerFault, or the connection's error. */
export async function openRemoteFile(transport: Transport, address: URL, signal: AbortSignal): Promise<RemoteFile> {
  const first = await transport.get(address, { range: 'bytes=0-0' }, signal);
  first.body.destroy();
  const facts = factsOf(first);
  let target: URL | null = first.url;

  async function ask(headers: Record<string, string>, signal: AbortSignal): Promise<Answer> {
    const known = target;
    const answer = await transport.get(known ?? address, headers, signal);
    if (answer.status === 200 || answer.status === 206) {
      target = answer.url;
      return answer;
    }
    answer.body.destroy();
    const fault = answerFault(answer, answer.url.href !== address.href);
    if (fault.kind !== 'moved') throw fault;
    // The file could be read a moment ago, so a new address that is refused as well may pass later.
    if (known === null) throw new AnswerFault('retry', fault.message);
    // Requests side by side find the same expired address; only the first must forget it.
    if (target === known) target = null;
    return await ask(headers, signal);
  }

  return {
    facts,
    async open(start, end, signal) {
      const headers: Record<string, string> = facts.hasRanges ? { range: `bytes=${start}-${end - 1}` } : {};
      const answer = await ask(headers, signal);
      const fault = facts.hasRanges ? rangeFault(answer, start, facts) : lengthFault(answer, facts);
      if (fault === null) return answer.body;
      answer.body.destroy();
      throw fault;
    },
  };
}

function factsOf(answer: Answer): RemoteFacts {
  const { status, headers, firstHeaders } = answer;
  const hasRanges = status === 206;
  if (!hasRanges && status !== 200) throw answerFault(answer, false);
  const length = hasRanges ? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] : headers['content-length'];
  const bytes = Number(length);
  if (!Number.isSafeInteger(bytes) || bytes < 1)
    throw new AnswerFault('refused', `${answer.url.host} does not tell the length of ${answer.url.pathname}`);
  const linked = firstHeaders['x-linked-etag']?.replaceAll(/^W\/|"/g, '').toLowerCase() ?? '';
  const commit = firstHeaders['x-repo-commit'] ?? '';
  return {
    bytes,
    hasRanges,
    revision: /^[0-9a-f]{40}$/.test(commit) ? commit : null,
    sha256: /^[0-9a-f]{64}$/.test(linked) ? linked : null,
    version: firstHeaders['x-linked-etag'] ?? headers.etag ?? null,
  };
}

function rangeFault({ status, headers, url }: Answer, start: number, facts: RemoteFacts): AnswerFault | null {
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  if (status !== 206 || Number(from) !== start)
    return new AnswerFault('retry', `${url.host} sent another part of the file than the one that was asked for`);
  if (Number(total) !== facts.bytes)
    return new AnswerFault('changed', `${url.host} has ${total} bytes now, expected ${facts.bytes}`);
  return null;
}

function lengthFault({ headers, url }: Answer, facts: RemoteFacts): AnswerFault | null {
  if (Number(headers['content-length']) === facts.bytes) return null;
  return new AnswerFault('changed', `${url.host} has ${headers['content-length']} bytes now, expected ${facts.bytes}`);
}
