import type { Dispatcher } from 'undici';
import { FetchFault } from './fetch-fault.ts';
import { PieceWindow } from './piece-window.ts';

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

/** Longest headers of a response. Browsers take more; what clients send to the service may have 16 KB. */
export const MAX_HEADER_BYTES = 64 * 1024;
/** Fewer than 2,000 pieces in this time are little work, as of a stream of events that lasts for hours. */
const WITHIN_MS = 10_000;
const JOINED_FOR_MS = 10;
/** Parsing so many takes about a millisecond. */
const PIECES_AT_ONCE = 2_000;
const BYTES_AT_ONCE = 64 * 1024;

/**
 * Ends a response whose body comes in pieces of a few bytes with a FetchFault. Here, between parser and body, the
 * pieces behind the last one cost nothing.
 */
export const refusePieces: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, inner) => {
  const window = new PieceWindow(WITHIN_MS);
  return dispatch(options, {
    ...forwardTo(inner),
    onResponseData(controller, piece) {
      if (window.add(piece.length)) controller.abort(tooSmall(options.origin));
      else inner.onResponseData?.(controller, piece);
    },
  });
};

/** Reads a response whose body comes in pieces of a few bytes slowly, and passes the pieces on joined. */
export const joinPieces: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, inner) => {
  const window = new PieceWindow(WITHIN_MS);
  const pieces: Buffer[] = [];
  let controls: SharedController | null = null;
  let isJoining = false;
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function passOn(given: Controller): void {
    clearTimeout(timer);
    timer = undefined;
    const joined = Buffer.concat(pieces);
    pieces.length = 0;
    bytes = 0;
    if (joined.length > 0) inner.onResponseData?.(controls ?? given, joined);
    controls?.release();
  }

  const forward = forwardTo(inner, (given) => controls ?? given);
  return dispatch(options, {
    ...forward,
    onRequestStart(controller, context) {
      controls = new SharedController(controller);
      inner.onRequestStart?.(controls, context);
    },
    onResponseData(controller, piece) {
      if (window.add(piece.length)) isJoining = true;
      if (!isJoining) {
        forward.onResponseData(controller, piece);
        return;
      }
      pieces.push(piece);
      bytes += piece.length;
      timer ??= setTimeout(passOn, JOINED_FOR_MS, controller);
      if (bytes >= BYTES_AT_ONCE) passOn(controller);
      else if (pieces.length >= PIECES_AT_ONCE) controls?.hold();
    },
    onResponseEnd(controller, trailers) {
      passOn(controller);
      forward.onResponseEnd(controller, trailers);
    },
    onResponseError(controller, error) {
      clearTimeout(timer);
      forward.onResponseError(controller, error);
    },
  });
};

function tooSmall(origin: string | URL = 'http://host'): FetchFault {
  const message = `${new URL(origin).host} sends its body in pieces of a few bytes; at least 64 bytes each are expected`;
  return new FetchFault('pieces', message, { sent: 'unknown' });
}

/** Passes everything on. The handler of undici has its methods in its class, so a spread would not take them. */
function forwardTo(inner: Handler, controllerFor: (given: Controller) => Controller = (given) => given) {
  return {
    onRequestStart: (controller, context) => inner.onRequestStart?.(controllerFor(controller), context),
    onResponseStart: (controller, ...response) => inner.onResponseStart?.(controllerFor(controller), ...response),
    onResponseData: (controller, piece) => inner.onResponseData?.(controllerFor(controller), piece),
    onResponseEnd: (controller, trailers) => inner.onResponseEnd?.(controllerFor(controller), trailers),
    onResponseError: (controller, error) => inner.onResponseError?.(controllerFor(controller), error),
  } satisfies Handler;
}

/** Pauses a response for two: its reader, and the time for which pieces are joined. */
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
