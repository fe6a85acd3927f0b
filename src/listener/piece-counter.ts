import type { Socket } from 'node:net';
import { world } from '@darkroom-service/contract';
import { PieceWindow } from '@darkroom-service/media';

/** Counts a piece. Returns null; or the bytes of the last 100, once the pieces are too many and too small. */
export type CountPiece = (bytes: number) => number | null;

/** Shorter reads end where their sender's do, so that no piece is cut in two by them. */
const PIECES_OF_LONG_READ = 8;
/** Number of pieces for which a connection takes budget of the process at a time, if they are small on average. */
const STEP = 100;
const SMALL_BYTES = 64;
/** Limit on small pieces a second; parsing so many takes about 30 ms. */
const SMALL_PIECES_A_SECOND = 20_000;

const ofConnections = new WeakMap<Socket, CountPiece>();
const takeStep = createStepBudget(() => world.monotonic());

/** Returns the counter of a connection, over all its bodies. */
export function pieceCounterOf(socket: Socket): CountPiece {
  const known = ofConnections.get(socket);
  if (known !== undefined) return known;
  const count = joinHalves(socket, createPieceCounter(takeStep));
  ofConnections.set(socket, count);
  return count;
}

/** Counts the halves of a piece as one, if a read of the socket ended within it. */
function joinHalves(socket: Socket, count: CountPiece): CountPiece {
  let bytesRead = 0;
  let ofRead = 0;
  let half = 0;
  return (bytes) => {
    const isFirst = socket.bytesRead !== bytesRead;
    bytesRead = socket.bytesRead;
    const isHalf = isFirst && ofRead >= PIECES_OF_LONG_READ;
    ofRead = isFirst ? 1 : ofRead + 1;
    half = isHalf ? bytes : half + bytes;
    if (isHalf) return null;
    const whole = half;
    half = 0;
    return count(whole);
  };
}

/**
 * Counts the pieces of one connection. Many connections with small pieces, each within its own window, are ended once
 * the budget of the process is used up.
 * @param take takes a step from that budget. Returns whether it had one.
 */
export function createPieceCounter(take: () => boolean): CountPiece {
  const window = new PieceWindow();
  let pieces = 0;
  let bytes = 0;
  return (length) => {
    const isOver = window.add(length);
    bytes += length;
    if (++pieces < STEP) return null;
    const ofStep = bytes;
    pieces = 0;
    bytes = 0;
    return isOver || (ofStep < STEP * SMALL_BYTES && !take()) ? ofStep : null;
  };
}

/**
 * Limits the steps of all connections together: a second's worth at once, then as many a second.
 * @param now returns milliseconds that never go back.
 */
export function createStepBudget(now: () => number): () => boolean {
  const stepMs = (STEP * 1000) / SMALL_PIECES_A_SECOND;
  let until = 0;
  return () => {
    const time = now();
    const next = Math.max(until, time) + stepMs;
    if (next - time > 1000) return false;
    until = next;
    return true;
  };
}
