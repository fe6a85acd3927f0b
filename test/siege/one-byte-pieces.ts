import type { ServerResponse } from 'node:http';

/** Chunks of one byte: six bytes on the wire, and a piece of its own for whoever reads them. */
const BLOCK = Buffer.from('1\r\n \r\n'.repeat(10_000));
const WIRE_BYTES = 6;

/** Returns so many bytes on the wire of chunks of one byte. */
export function onePerPiece(wireBytes: number): Buffer {
  return Buffer.alloc(Math.floor(wireBytes / WIRE_BYTES) * WIRE_BYTES, BLOCK);
}

/** Sends a body in chunks of one byte, as fast as it is read. */
export function answerInPieces(response: ServerResponse, contentType: string, body: Buffer): void {
  response.writeHead(200, { 'content-type': contentType, 'transfer-encoding': 'chunked', connection: 'close' });
  response.flushHeaders();
  const { socket } = response;
  let from = 0;
  const more = () => {
    while (socket !== null && !socket.destroyed && from < body.length) {
      const part = body.subarray(from, from + 10_000);
      from += part.length;
      const chunks = onePerPiece(part.length * WIRE_BYTES);
      for (const [index, byte] of part.entries()) chunks[index * WIRE_BYTES + 3] = byte;
      if (!socket.write(chunks)) return void socket.once('drain', more);
    }
    socket?.end('0\r\n\r\n');
  };
  more();
}
