import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text as they came. */
  readonly content: string;
}

/** A mail server that keeps what it got. @param accepts whether it takes a message, by its number from 1 */
export async function startMailReceiver(t: TestContext, accepts: (attempt: number) => boolean = () => true) {
  const received: Mail[] = [];
  const waiting: (() => void)[] = [];
  let attempts = 0;
  const server = createServer(async (socket) => {
    socket.on('error', () => {});
    const reply = (line: string) => socket.write(`${line}\r\n`);
    let [from, to, content] = ['', [] as string[], null as string[] | null];
    reply('220 mail.test');
    for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
      const address = /<(.*)>/.exec(line)?.[1] ?? '';
      if (content !== null && line !== '.') content.push(line);
      else if (content !== null) {
        if (accepts(++attempts)) received.push({ from, to, content: content.join('\n') });
        reply(accepts(attempts) ? '250 kept' : '451 try again');
        content = null;
        for (const wake of waiting.splice(0)) wake();
      } else if (/^(EHLO|HELO)/i.test(line)) reply('250 mail.test');
      else if (/^MAIL FROM/i.test(line)) {
        [from, to] = [address, []];
        reply('250 ok');
      } else if (/^RCPT TO/i.test(line)) {
        to.push(address);
        reply('250 ok');
      } else if (/^DATA/i.test(line)) {
        content = [];
        reply('354 go on');
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else reply('250 ok');
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async count(wanted: number) {
      while (received.length < wanted) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
