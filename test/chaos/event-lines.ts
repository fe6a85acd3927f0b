/** The data of every server-sent event of a body, one after the other. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of body.pipeThrough(
    new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>,
  )) {
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const line = event.split('\n').find((each) => each.startsWith('data: '));
      if (line !== undefined) yield line.slice('data: '.length);
    }
  }
}
