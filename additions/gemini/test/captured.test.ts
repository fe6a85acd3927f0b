import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capturedRequests } from './captured-requests.ts';
import { type GeminiAnswer, picture, sizeOf, startGemini } from './gemini-service.ts';

/** Requests of apps and published clients are answered with a picture, in the form that each of them reads. */

const { ask, ownKey, tasksOf } = await startGemini();

for (const { app, path, body, ignored } of capturedRequests(await picture())) {
  test(`the request of ${app} is answered with its picture`, async () => {
    const key = await ownKey();
    const answer = await ask(key, 'POST', path, body);
    assert.equal(answer.status, 200, answer.text);
    const [width = 0, height = 0] = sizeOf(pictureIn(answer));
    if (JSON.stringify(body).includes('16:9')) assert.ok(width > height, `${width}x${height}`);
    assert.equal(answer.headers.get('darkroom-ignored-fields') ?? undefined, ignored);
    const [task] = await tasksOf(key);
    const hasPicture = /"data":/.test(JSON.stringify(body));
    assert.equal((task?.input.image_urls as string[] | undefined)?.length ?? 0, hasPicture ? 1 : 0);
  });
}

/** Returns the picture where the clients of each form look for it. */
function pictureIn({ body, text }: GeminiAnswer): string {
  const answer = body ?? JSON.parse(text.trim().replace(/^data: /, ''));
  if (answer.predictions !== undefined) return answer.predictions[0].bytesBase64Encoded;
  if (answer.steps !== undefined) return answer.steps[0].content[0].data;
  return answer.candidates[0].content.parts[0].inlineData.data;
}
