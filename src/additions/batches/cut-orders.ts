import { ServiceError } from '@darkroom-service/contract';

/** An order cut out of a body. */
interface CutOrder {
  /** Number of its line, or of its element of the array, counted from 1. */
  readonly number: number;
  /** Bytes of the order; null if it is longer than allowed, and was not kept. */
  readonly bytes: Buffer | null;
}

/** Cuts a body into its orders while it arrives, and keeps the rest of it. */
export interface OrderCutter {
  /** @returns the orders that end within this chunk */
  push(chunk: Buffer): CutOrder[];
  /**
   * Call it at the end of the body.
   * @returns the last order, if only the end of the body ends it, and the body without its orders
   */
  end(): { readonly orders: CutOrder[]; readonly rest: Buffer };
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
const ORDERS = Buffer.from('"orders"');
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The bytes of one order that have arrived so far. */
class Piece {
  readonly #most: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > this.#most) this.#chunks = [];
    else if (bytes.length > 0) this.#chunks.push(bytes);
  }

  take(): Buffer | null {
    const [only] = this.#chunks;
    const whole = this.#length > this.#most ? null : this.#chunks.length === 1 ? only! : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#length = 0;
    return whole;
  }
}

/** Cuts JSON lines. Empty lines are counted and skipped byte by byte, however many there are. */
export function createLineCutter(mostBytes: number): OrderCutter {
  const piece = new Piece(mostBytes);
  let lines = 0;

  function takeLine(): CutOrder[] {
    lines++;
    const whole = piece.take();
    const bytes = whole?.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
    // A byte order mark before an empty line is no order either.
    return bytes?.length === 0 || bytes?.equals(BYTE_ORDER_MARK) ? [] : [{ number: lines, bytes }];
  }

  /** @returns the index at which the next line that is not empty begins */
  function skipEmpty(chunk: Buffer, from: number): number {
    let at = from;
    for (;;) {
      if (chunk[at] === LINE_FEED) at++;
      else if (chunk[at] === CARRIAGE_RETURN && chunk[at + 1] === LINE_FEED) at += 2;
      else return at;
      lines++;
    }
  }

  return {
    push(chunk) {
      const orders: CutOrder[] = [];
      let from = piece.isEmpty ? skipEmpty(chunk, 0) : 0;
      for (let at = chunk.indexOf(LINE_FEED, from); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        piece.add(chunk.subarray(from, at));
        orders.push(...takeLine());
        from = skipEmpty(chunk, at + 1);
      }
      piece.add(chunk.subarray(from));
      return orders;
    },
    end: () => ({ orders: piece.isEmpty ? [] : takeLine(), rest: Buffer.alloc(0) }),
  };
}

/** Cuts the elements out of the array `orders` of a JSON object. The rest is the object with an empty array. */
export class ArrayCutter implements OrderCutter {
  readonly #mostRestBytes: number;
  readonly #piece: Piece;
  readonly #rest: Buffer[] = [];
  #restBytes = 0;
  #elements = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Whether the scan is within the array of orders. */
  #inOrders = false;
  /** Number of characters of a string at the first level that match `"orders"`; -1 = it is another string. */
  #matched = -1;
  #isNamed = false;
  #hasOrder = false;
  #followsComma = false;
  #hasOrders = false;

  constructor(mostBytes: number, mostRestBytes: number) {
    this.#piece = new Piece(mostBytes);
    this.#mostRestBytes = mostRestBytes;
  }

  push(chunk: Buffer): CutOrder[] {
    const orders: CutOrder[] = [];
    /** Index from which on this chunk belongs to an order, or to the rest. */
    let from = 0;
    const endOrder = (at: number) => {
      this.#piece.add(chunk.subarray(from, at));
      const bytes = this.#piece.take();
      if (this.#hasOrder) orders.push({ number: ++this.#elements, bytes });
      this.#hasOrder = false;
    };
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inString) {
        at = this.#skipString(chunk, at);
        if (!this.#inString && this.#depth === 1) this.#isNamed = this.#matched === ORDERS.length;
        continue;
      }
      if (byte <= 0x20) continue;
      if (this.#inOrders && this.#depth === 2 && (byte === COMMA || byte === CLOSE_ARRAY)) {
        // A missing element becomes an order of no bytes, which is refused.
        if (byte === COMMA || this.#followsComma) this.#hasOrder = true;
        endOrder(at);
        this.#followsComma = byte === COMMA;
        from = at + 1;
        if (byte === COMMA) continue;
        this.#inOrders = false;
        this.#depth = 1;
        from = at;
        continue;
      }
      if (this.#inOrders) this.#hasOrder = true;
      if (byte === QUOTE) {
        this.#inString = true;
        this.#matched = this.#depth === 1 ? 1 : -1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#depth++;
        if (byte === OPEN_ARRAY && this.#depth === 2 && this.#isNamed && !this.#inOrders) {
          this.#keep(chunk.subarray(from, at + 1));
          from = at + 1;
          if (this.#hasOrders)
            throw new ServiceError('invalid_request', "The body has 'orders' twice.", { param: 'orders' });
          this.#hasOrders = true;
          this.#inOrders = true;
          this.#hasOrder = false;
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth--;
      if (byte !== COLON) this.#isNamed = false;
    }
    if (this.#inOrders) this.#piece.add(chunk.subarray(from));
    else this.#keep(chunk.subarray(from));
    return orders;
  }

  end(): ReturnType<OrderCutter['end']> {
    if (this.#inString || this.#depth > 0)
      throw new ServiceError(
        'invalid_json',
        'The body is not valid JSON: it ends inside a string, an object or an array.',
      );
    return { orders: [], rest: Buffer.concat(this.#rest) };
  }

  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length;
    if (this.#restBytes > this.#mostRestBytes) {
      throw new ServiceError(
        'body_too_large',
        `The body has more than ${this.#mostRestBytes} bytes outside of its orders. Send them in the array 'orders'.`,
      );
    }
    this.#rest.push(bytes);
  }

  /** Returns the end of a string, from within it. */
  #skipString(chunk: Buffer, from: number): number {
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#depth === 1 && this.#matched >= 0)
        this.#matched = byte === ORDERS[this.#matched] ? this.#matched + 1 : -1;
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        return at;
      }
    }
    return at;
  }
}
