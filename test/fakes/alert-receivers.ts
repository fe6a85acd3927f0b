import type { Received } from '../helpers/webhook-receiver.ts';

/** Answers as an incoming webhook of Slack, which reads a text with `&`, `<` and `>` escaped. */
export function answerOfSlack({ headers, body }: Received): number {
  if (headers['content-type'] !== 'application/json') return 400;
  const { text, ...others } = JSON.parse(body);
  const isText = typeof text === 'string' && text !== '' && text.length <= 40_000;
  return isText && Object.keys(others).length === 0 && !/[<>]|&(?!amp;|lt;|gt;)/.test(text) ? 200 : 400;
}

const PRIORITIES = ['min', 'low', 'default', 'high', 'max'];

/** Answers as a topic of ntfy, which reads title, priority and link from headers, and 4,096 bytes of message. */
export function answerOfNtfy({ headers, body }: Received): number {
  const { title = '', priority = '', click = '' } = headers;
  const isMessage = body !== '' && Buffer.byteLength(body) <= 4_096;
  return isMessage && title !== '' && PRIORITIES.includes(priority) && URL.canParse(click) ? 200 : 400;
}
