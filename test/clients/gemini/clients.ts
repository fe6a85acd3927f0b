import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installFromNpm } from '../npm.ts';
import { openPython, type Printed } from '../python.ts';
import { startPythonProgram } from '../python-program.ts';

const POLL_MS = 100;

/** The calls that both clients can make. */
export type Deed = 'generate' | 'edit' | 'stream' | 'interact' | 'film' | 'list' | 'cancel';

/** The outcome of a call: a file in base64 or names, or the error that the program sees. */
export interface Outcome {
  readonly value?: Printed;
  readonly error?: { readonly status: number | null; readonly message: string };
}

interface Wish {
  readonly model?: string;
  readonly prompt?: string;
  /** A picture in base64. */
  readonly image?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client that Google publishes, driven in the same way whatever its language. */
export interface GeminiClient {
  readonly name: string;
  readonly call: (baseUrl: string, key: string, deed: Deed, wish?: Wish) => Promise<Outcome>;
}

export const GENAI_FOR_PYTHON = 'google-genai==3.6.1';
const GENAI_FOR_NODE = '@google/genai@2.32.0';

let program: Promise<ReturnType<typeof startPythonProgram>> | null = null;

export const geminiForPython: GeminiClient = {
  name: 'google-genai 3.6.1 for Python',
  async call(baseUrl, key, deed, wish = {}) {
    program ??= openPython([GENAI_FOR_PYTHON]).then((python) => startPythonProgram(python, PYTHON_CALL));
    return await (await program)({ baseUrl: `${baseUrl}/gemini`, key, deed, ...wish });
  },
};

const PYTHON_CALL = `
import base64
import time
from google import genai
from google.genai import types

def encoded(data):
    return base64.b64encode(data).decode() if isinstance(data, bytes) else data

def picture_of(response):
    return encoded(response.candidates[0].content.parts[0].inline_data.data)

def generate(client, model, prompt, image):
    return picture_of(client.models.generate_content(model=model, contents=prompt))

def edit(client, model, prompt, image):
    part = types.Part.from_bytes(data=base64.b64decode(image), mime_type="image/png")
    chat = client.chats.create(model=model)
    chat.send_message([prompt, part])
    return picture_of(chat.send_message("at night"))

def stream(client, model, prompt, image):
    return [picture_of(one) for one in client.models.generate_content_stream(model=model, contents=prompt)][-1]

def interact(client, model, prompt, image):
    made = client.interactions.create(model=model, input=prompt, response_modalities=["image"])
    return made.output_image.data

def started(client, prompt):
    return client.interactions.create(
        model="sketch-motion", input=prompt, response_modalities=["video"], background=True)

def film(client, model, prompt, image):
    made = started(client, prompt)
    while made.status == "in_progress":
        time.sleep(0.1)
        made = client.interactions.get(made.id)
    return made.output_video.data

def cancel(client, model, prompt, image):
    made = client.interactions.cancel(started(client, prompt).id)
    while made.status == "in_progress":
        time.sleep(0.1)
        made = client.interactions.get(made.id)
    return made.status

def list_models(client, model, prompt, image):
    return [one.name for one in client.models.list()]

DEEDS = {"generate": generate, "edit": edit, "stream": stream, "interact": interact, "film": film,
    "cancel": cancel, "list": list_models}

def answer(order):
    options = types.HttpOptions(base_url=order["baseUrl"], headers=order.get("headers"))
    client = genai.Client(api_key=order["key"], http_options=options)
    wish = (order.get("model", "sketch"), order.get("prompt", "a fox"), order.get("image"))
    try:
        return {"value": DEEDS[order["deed"]](client, *wish)}
    except Exception as error:
        status = getattr(error, "code", None) or getattr(error, "status_code", None)
        return {"error": {"status": status, "message": str(error)}}
`;

export const geminiForNode: GeminiClient = {
  name: '@google/genai 2.32.0 for Node',
  async call(baseUrl, key, deed, { model = 'sketch', prompt = 'a fox', image = '', headers = {} } = {}) {
    const packages = await installFromNpm([GENAI_FOR_NODE]);
    const { GoogleGenAI } = await import(join(packages, '@google/genai/dist/node/index.mjs'));
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: `${baseUrl}/gemini`, headers } });
    try {
      return { value: await NODE_DEEDS[deed](client, { model, prompt, image }) };
    } catch (error) {
      const { status = null, statusCode = status } = error as { status?: number | null; statusCode?: number | null };
      return { error: { status: statusCode, message: (error as Error).message } };
    }
  },
};

const pictureOf = (response: Printed) => response.candidates[0].content.parts[0].inlineData.data;
const NODE_DEEDS: Readonly<Record<Deed, (client: Printed, wish: Required<Omit<Wish, 'headers'>>) => Promise<Printed>>> =
  {
    generate: async ({ models }, { model, prompt }) =>
      pictureOf(await models.generateContent({ model, contents: prompt })),
    async edit({ chats }, { model, prompt, image }) {
      const chat = chats.create({ model });
      await chat.sendMessage({ message: [{ text: prompt }, { inlineData: { mimeType: 'image/png', data: image } }] });
      return pictureOf(await chat.sendMessage({ message: 'at night' }));
    },
    async stream({ models }, { model, prompt }) {
      const parts = await Array.fromAsync(await models.generateContentStream({ model, contents: prompt }));
      return pictureOf(parts.at(-1));
    },
    async interact({ interactions }, { model, prompt }) {
      const made = await interactions.create({ model, input: prompt, response_modalities: ['image'] });
      return made.steps[0].content[0].data;
    },
    async film({ models, operations }, { prompt }) {
      let operation = await models.generateVideos({
        model: 'sketch-motion',
        source: { prompt },
        config: { durationSeconds: 1, resolution: '480p' },
      });
      while (operation.done !== true) {
        await pause(POLL_MS);
        operation = await operations.getVideosOperation({ operation });
      }
      const { uri } = operation.response.generatedVideos[0].video;
      return { uri };
    },
    async cancel({ interactions }, { prompt }) {
      const film = { model: 'sketch-motion', input: prompt, response_modalities: ['video'], background: true };
      const started = await interactions.create(film);
      let made = await interactions.cancel(started.id);
      while (made.status === 'in_progress') {
        await pause(POLL_MS);
        made = await interactions.get(started.id);
      }
      return made.status;
    },
    async list({ models }) {
      const names: string[] = [];
      for await (const { name } of await models.list()) names.push(name);
      return names;
    },
  };

/** Returns the bytes of a file that an answer has or names. */
export async function bytesOf(value: Printed, key: string): Promise<Buffer> {
  if (typeof value === 'string') return Buffer.from(value.replaceAll('-', '+').replaceAll('_', '/'), 'base64');
  const answer = await fetch(value.uri, { headers: { 'x-goog-api-key': key } });
  return Buffer.from(await answer.arrayBuffer());
}
