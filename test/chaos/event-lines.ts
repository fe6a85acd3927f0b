/** The data of every server-sent event of a body, one after the other. */
export async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const line = event.split('\n').find((each) => each.startsWith('data: '));
      if (line !== undefined) yield line.slice('data: '.length);
    }
  }
}
