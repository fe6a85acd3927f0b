import { type ServiceError, world } from '@darkroom-service/contract';
import type { FastifyInstance } from 'fastify';
import { endParsing, scattered } from './end-parsing.ts';
import { type CountPiece, pieceCounterOf } from './piece-counter.ts';

/** An `import` of this module would also load Node's `fetch`, which takes a tenth of the start. */
const { IncomingMessage } = process.getBuiltinModule('node:http');

/** First pieces of a body, which are passed on as they come and not counted: ordinary requests have no more. */
const FIRST_PIECES = 16;
/** Length below which pieces are joined. */
const SHORT_BYTES = 1_024;
const BLOCK_BYTES = 16_384;

/**
 * A request whose body is bounded in pieces as well as in bytes: each piece costs the parser, a stream and its readers
 * the same work, however few bytes it has. Counts them over all bodies of a connection, and joins short ones that
 * arrive in one turn of the event loop or while nobody reads. For the option `http` of Fastify.
 */
export class JoinedBody extends IncomingMessage {
  /** Answers a body of too many small pieces. Nothing more is parsed of its connection. */
  onScattered: ((error: ServiceError) => void) | undefined;
  #pieces = 0;
  #count: CountPiece | undefined;
  #block: Buffer | undefined;
  #start = 0;
  #end = 0;
  #isScheduled = false;
  #isHeld = false;
  #isScattered = false;

  override push(piece: Buffer | null): boolean {
    if (this.#isScattered) return false;
    if (piece === null || ++this.#pieces <= FIRST_PIECES) return this.#pass(piece);
    this.#count ??= pieceCounterOf(this.socket);
    const found = this.#count(piece.length);
    if (found !== null) return this.#scatter(found);
    return piece.length < SHORT_BYTES ? this.#join(piece) : this.#pass(piece);
  }

  override read(size?: number): unknown {
    if (this.#isHeld && this.readableLength === 0) this.#flush();
    return super.read(size);
  }

  /** Counts the data after an answer, which Node drops without passing it on. */
  _dump(): void {
    if (this.complete) Reflect.get(IncomingMessage.prototype, '_dump').call(this);
    else this.removeAllListeners('data').resume();
  }

  #pass(piece: Buffer | null): boolean {
    this.#flush();
    return super.push(piece);
  }

  #join(piece: Buffer): boolean {
    let hasRoom = true;
    if (this.#block === undefined || this.#end + piece.length > BLOCK_BYTES) {
      hasRoom = this.#flush();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#start = 0;
      this.#end = 0;
    }
    this.#end += piece.copy(this.#block, this.#end);
    if (this.#isScheduled || this.#isHeld) return hasRoom;
    this.#isScheduled = true;
    world.setImmediate(() => {
      this.#isScheduled = false;
      this.#isHeld = this.readableLength > 0;
      if (!this.#isHeld) this.#flush();
    });
    return hasRoom;
  }

  #flush(): boolean {
    this.#isHeld = false;
    if (this.#block === undefined || this.#end === this.#start || this.destroyed) return true;
    const joined = this.#block.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return super.push(joined);
  }

  #scatter(found: number): false {
    this.#isScattered = true;
    endParsing(this.socket);
    if (this.onScattered === undefined) this.socket.end();
    else this.onScattered(scattered(found));
    return false;
  }
}

/** Answers requests whose bodies come in too many small pieces, and then closes their connections. */
export function refuseScattered(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const message = request.raw as JoinedBody;
    message.onScattered = (error) => {
      if (!reply.sent && !reply.raw.headersSent) void reply.send(error);
      if (reply.raw.writableFinished) message.socket.end();
      else reply.raw.once('finish', () => message.socket.end());
    };
    done();
  });
}
