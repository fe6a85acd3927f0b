import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A line to a PostgreSQL server that a test can break. */
export interface BreakableConnection {
  /** The server's address, over this line. */
  readonly url: string;
  /** Ends every connection and takes no more, until it is mended. */
  cut(): void;
  mend(): void;
  /** Keeps every connection and takes more, and nothing passes any longer, as if the server stood still. */
  stall(): void;
  /** How often something was sent after an answer, or first: the round trips of commits that are flushed. */
  readonly turns: number;
  /** How many connections were refused while it was cut. */
  readonly refusals: number;
  /**
   * The next commit that is flushed reaches the server, and its answer nobody: the connection is cut instead, or the
   * whole line until it is mended.
   */
  loseNextCommit(options?: { readonly andCut: boolean }): void;
  /** The server makes the next commit; its answer is this SQLSTATE, as from a proxy that has lost the server. */
  refuseNextCommit(code: string): void;
  /** The server does not understand the next begin of a transaction. */
  garbleNextBegin(): void;
  /** The next connection of this name is opened, and ended by the server in the same packet, as one that shuts down. */
  endNext(applicationName: string): void;
}

export async function openBreakableConnection(
  t: Pick<TestContext, 'after'>,
  url: string,
): Promise<BreakableConnection> {
  const target = new URL(url);
  const connections = new Set<Socket>();
  let isCut = false;
  let isStalled = false;
  let refusals = 0;
  let turns = 0;
  let losesCommit = false;
  let cutsThen = false;
  let refusedWith: string | null = null;
  let garblesBegin = false;
  let endsNext: string | null = null;
  const server = createServer((near) => {
    if (isCut) {
      refusals++;
      return void near.destroy();
    }
    const far = connect({ host: target.hostname, port: Number(target.port) });
    let swallow = false;
    let replaceBy: Buffer | null = null;
    let isEnding = false;
    let flushes = true;
    let isAnswered = true;
    let writes = false;
    for (const socket of [near, far]) {
      connections.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        connections.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (chunk: Buffer) => {
      if (isStalled) return;
      if (garblesBegin && chunk.includes(BEGIN)) {
        garblesBegin = false;
        chunk.write('begun', chunk.indexOf(BEGIN));
      }
      if (chunk.includes(BEGIN)) flushes = !chunk.includes('synchronous_commit to off');
      writes ||= chunk.includes('darkroom write\0');
      if (isAnswered && writes && flushes) turns++;
      isAnswered = false;
      if (losesCommit && flushes && chunk.includes('commit\0')) {
        losesCommit = false;
        swallow = true;
      }
      if (refusedWith !== null && chunk.includes('commit\0')) {
        replaceBy = errorAnswer(refusedWith);
        refusedWith = null;
      }
      if (endsNext !== null && chunk.includes(`${endsNext}\0`)) {
        endsNext = null;
        isEnding = true;
      }
      far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => {
      if (isStalled) return;
      isAnswered = true;
      if (replaceBy !== null) {
        near.write(replaceBy);
        replaceBy = null;
        return;
      }
      if (isEnding && chunk.includes(READY)) return void near.end(Buffer.concat([chunk, ENDED]));
      if (!swallow) return void near.write(chunk);
      // The answers of statements that were sent with the commit come before its own.
      if (!COMMITTED.some((answer) => chunk.includes(answer))) return;
      near.destroy();
      if (cutsThen) cut();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = () => {
    for (const socket of connections) socket.destroy();
  };
  const cut = () => {
    isCut = true;
    end();
  };
  t.after(() => {
    end();
    server.close();
  });
  const line = new URL(url);
  line.port = String((server.address() as { port: number }).port);
  return {
    url: line.href,
    cut,
    mend() {
      isCut = false;
    },
    stall() {
      isStalled = true;
    },
    get turns() {
      return turns;
    },
    get refusals() {
      return refusals;
    },
    loseNextCommit({ andCut } = { andCut: false }) {
      losesCommit = true;
      cutsThen = andCut;
    },
    refuseNextCommit(code) {
      refusedWith = code;
    },
    garbleNextBegin() {
      garblesBegin = true;
    },
    endNext(applicationName) {
      endsNext = applicationName;
    },
  };
}

const BEGIN = 'begin isolation';
/** The answers to a commit. */
const COMMITTED = ['COMMIT\0', 'ROLLBACK\0'];
/** The server waits for the next query. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const ENDED = errorMessage('FATAL', '57P01', 'terminating connection due to administrator command');

/** An error of a server outside a transaction, as the protocol has it. */
function errorAnswer(code: string): Buffer {
  return Buffer.concat([errorMessage('ERROR', code, 'could not commit transaction on at least one node'), READY]);
}

function errorMessage(severity: string, code: string, message: string): Buffer {
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${message}\0\0`);
  const error = Buffer.alloc(5 + fields.length);
  error.write('E');
  error.writeInt32BE(4 + fields.length, 1);
  fields.copy(error, 5);
  return error;
}
