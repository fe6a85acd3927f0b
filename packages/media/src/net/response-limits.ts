import type { Dispatcher } from 'undici';
import { FetchFault } from './fetch-fault.ts';
import { PieceWindow } from './piece-window.ts';

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

/** Maximum header bytes of a response. Browsers accept more; requests to the service may have 16 KB. */
export const MAX_HEADER_BYTES = 64 * 1024;
/** Milliseconds in which fewer than 2,000 chunks are little work, such as in an event stream that lasts for hours. */
const WITHIN_MS = 10_000;
const JOINED_FOR_MS = 10;
/** Maximum chunks at once; parsing them takes about a millisecond. */
const PIECES_AT_ONCE = 2_000;
const BYTES_AT_ONCE = 64 * 1024;

/** Watches the chunks of a body: each costs the parser, a stream and its readers the same work, however short it is. */
export function watchPieces(): PieceWindow {
  return new PieceWindow(WITHIN_MS);
}

/**
 * Ends a response whose body arrives in chunks of a few bytes with a FetchFault. Here, between parser and body, the
 * remaining chunks cost nothing.
 */
export const refusePieces: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, inner) => {
  const window = watchPieces();
  return dispatch(options, {
    ...forwardTo(inner),
    onResponseData(controller, piece) {
      if (window.add(piece.length)) controller.abort(tooSmall(new URL(options.origin ?? 'http://host').host));
      else inner.onResponseData?.(controller, piece);
    },
  });
};

/** Slowly reads a response whose body arrives in chunks of a few bytes, and joins the chunks. */
export const joinPieces: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, inner) => {
  let controls: SharedController | null = null;
  const forward = forwardTo(inner, (given) => controls ?? given);
  const joiner = new PieceJoiner({
    pass: (piece) => controls !== null && inner.onResponseData?.(controls, piece),
    hold: () => controls?.hold(),
    release: () => controls?.release(),
  });
  return dispatch(options, {
    ...forward,
    onRequestStart(controller, context) {
      controls = new SharedController(controller);
      inner.onRequestStart?.(controls, context);
    },
    onResponseData: (_controller, piece) => joiner.add(piece),
    onResponseEnd(controller, trailers) {
      joiner.end();
      forward.onResponseEnd(controller, trailers);
    },
    onResponseError(controller, error) {
      joiner.stop();
      forward.onResponseError(controller, error);
    },
  });
};

interface JoinerOptions {
  readonly pass: (piece: Buffer) => void;
  /** Stops the parser until `release`. */
  readonly hold: () => void;
  readonly release: () => void;
}

/** Passes the chunks of a body on. Once many have only a few bytes, it joins them and limits their rate. */
export class PieceJoiner {
  readonly #options: JoinerOptions;
  readonly #window = watchPieces();
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isJoining = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: JoinerOptions) {
    this.#options = options;
  }

  add(piece: Buffer): void {
    if (this.#window.add(piece.length)) this.#isJoining = true;
    if (!this.#isJoining) {
      this.#options.pass(piece);
      return;
    }
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#timer ??= setTimeout(() => this.end(), JOINED_FOR_MS);
    if (this.#bytes >= BYTES_AT_ONCE) this.end();
    else if (this.#pieces.length >= PIECES_AT_ONCE) this.#options.hold();
  }

  /** Passes on the joined chunks. Either this or `stop` must be called at the end of the body. */
  end(): void {
    if (!this.#isJoining) return;
    this.stop();
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    if (joined.length > 0) this.#options.pass(joined);
    this.#options.release();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

export function tooSmall(host: string): FetchFault {
  const message = `${host} sends its body in pieces of a few bytes; at least 64 bytes each are expected`;
  return new FetchFault('pieces', message, { sent: 'unknown' });
}

/** Returns a handler that passes everything on. The methods of undici's are in its class: a spread would omit them. */
function forwardTo(inner: Handler, controllerFor: (given: Controller) => Controller = (given) => given) {
  return {
    onRequestStart: (controller, context) => inner.onRequestStart?.(controllerFor(controller), context),
    onResponseStart: (controller, ...response) => inner.onResponseStart?.(controllerFor(controller), ...response),
    onResponseData: (controller, piece) => inner.onResponseData?.(controllerFor(controller), piece),
    onResponseEnd: (controller, trailers) => inner.onResponseEnd?.(controllerFor(controller), trailers),
    onResponseError: (controller, error) => inner.onResponseError?.(controllerFor(controller), error),
  } satisfies Handler;
}

/** Pauses a response for two parties: its reader, and the joining of chunks. */
class SharedController implements Controller {
  readonly #inner: Controller;
  #isHeld = false;
  #isPaused = false;

  constructor(inner: Controller) {
    this.#inner = inner;
  }

  get aborted(): boolean {
    return this.#inner.aborted;
  }

  get paused(): boolean {
    return this.#inner.paused;
  }

  get reason(): Error | null {
    return this.#inner.reason;
  }

  abort(reason: Error): void {
    this.#inner.abort(reason);
  }

  pause(): void {
    this.#isPaused = true;
    this.#inner.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isHeld) this.#inner.resume();
  }

  hold(): void {
    this.#isHeld = true;
    this.#inner.pause();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (!this.#isPaused) this.#inner.resume();
  }
}
