/** One server-sent event. Null data: a comment, which only shows that the stream is alive. */
export interface ServerEvent {
  readonly name: string;
  readonly id: string | null;
  readonly data: string | null;
}

/** Parses the body of an event stream. */
export async function* readServerEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  let [name, id, data] = ['message', null as string | null, [] as string[]];
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { name, id, data: data.join('\n') };
        [name, id, data] = ['message', null, []];
        continue;
      }
      const colon = line.indexOf(':');
      if (colon === 0) yield { name: '', id: null, data: null };
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') name = value;
      else if (field === 'id') id = value;
      else if (field === 'data') data.push(value);
    }
  }
}

/** Reads a body chunk by chunk. Browsers do not offer async iteration of streams everywhere. */
export async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
