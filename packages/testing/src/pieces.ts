import type { ServerResponse } from 'node:http';

/** Answers 200 with a body in chunks of the given size, and closes the connection. @param heads further header lines */
export function answerInPieces(
  { socket }: ServerResponse,
  body: Uint8Array,
  { bytes = 1, heads = [] }: { readonly bytes?: number; readonly heads?: readonly string[] } = {},
): void {
  const head = ['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Connection: close', ...heads, '', ''].join('\r\n');
  const chunks: Uint8Array[] = [Buffer.from(head)];
  const size = Buffer.from(`${bytes.toString(16)}\r\n`);
  const end = Buffer.from('\r\n');
  for (let at = 0; at + bytes <= body.length; at += bytes) chunks.push(size, body.subarray(at, at + bytes), end);
  const rest = body.subarray(body.length - (body.length % bytes));
  if (rest.length > 0) chunks.push(Buffer.from(`${rest.length.toString(16)}\r\n`), rest, end);
  socket?.end(Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]));
}
