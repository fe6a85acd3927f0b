import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import type { FakeUpstream } from './fake-upstream.ts';
import { listedModels } from './listed-models.ts';
import { resultInside } from './small-picture.ts';
import { PRIVATE_KEY, PROJECT, signInFault } from './vertex-accounts.ts';
import { judgeFilm, judgePicture } from './vertex-orders.ts';

interface FakeVertex extends FakeUpstream {
  /** Returns the number of issued tokens. */
  readonly signIns: () => number;
  /** Makes the fake refuse all tokens issued so far. */
  revokeTokens(): void;
}

const fault = (code: number, status: string, message: string, ...details: readonly object[]) => ({
  error: { code, message, status, details },
});
const INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BUSY = fault(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for online_prediction_requests_per_base_model.', {
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay: '1s',
});
const SENSITIVE =
  "The prompt could not be submitted. This prompt contains sensitive words that violate Google's Responsible AI practices.";
const TROUBLES: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: [429, fault(429, 'RESOURCE_EXHAUSTED', 'Resource exhausted.')] },
  busyfor: { counted: false, answer: [429, BUSY] },
  busyuntil: {
    counted: false,
    answer: [429, BUSY, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
  },
  billing: {
    counted: false,
    answer: [
      403,
      fault(403, 'PERMISSION_DENIED', 'This API method requires billing to be enabled.', {
        '@type': INFO,
        reason: 'BILLING_DISABLED',
      }),
    ],
  },
  denied: {
    counted: false,
    answer: [403, fault(403, 'PERMISSION_DENIED', "Permission 'aiplatform.endpoints.predict' denied on resource.")],
  },
  listed: {
    counted: false,
    answer: [400, fault(400, 'FAILED_PRECONDITION', 'The project is not on the list of this model.')],
  },
  invalid: { counted: false, answer: [400, fault(400, 'INVALID_ARGUMENT', 'The prompt is too short.')] },
  content: { counted: false, answer: [400, fault(400, 'INVALID_ARGUMENT', SENSITIVE)] },
  unavailable: { counted: true, answer: [503, fault(503, 'UNAVAILABLE', 'The service is currently unavailable.')] },
  late: { counted: true, answer: [504, fault(504, 'DEADLINE_EXCEEDED', 'Deadline expired.')] },
  internal: { counted: true, answer: [500, fault(500, 'INTERNAL', 'Internal error encountered.')] },
};
/** Errors of an operation, by the word `end`. */
const ERRORS: Readonly<Record<string, object>> = {
  failed: { code: 13, message: 'Video generation failed due to an internal issue.' },
  busy: { code: 14, message: 'The service is currently unavailable.' },
  words: { code: 3, message: SENSITIVE },
};
/** Paths of models; Google's own client calls `v1beta1`. */
const MODELS = new RegExp(
  `^/v1(?:beta1)?/(projects/${PROJECT}/locations/[a-z0-9-]+/publishers/google/models/([\\w.-]+)):(\\w+)$`,
);

const DESCRIBED = /^\/v1(?:beta1)?\/publishers\/google\/models\/([\w.-]+)$/;

/** Opens a fake of Vertex AI with its sign-in: Gemini's pictures and Veo's films, from its client and documentation. */
export async function openFakeVertex(): Promise<FakeVertex> {
  const jobs = createFakeJobs(TROUBLES);
  const server = await openFakeServer(answer);
  const tokenUrl = `${server.url}/token`;
  let tokens: string[] = [];
  let signIns = 0;
  let orders = 0;

  async function answer(exchange: Exchange): Promise<undefined> {
    const { path, headers, reply, method } = exchange;
    if (method === 'POST' && path === '/token') return signIn(exchange);
    if (!tokens.includes(String(headers.authorization).replace(/^Bearer /, ''))) {
      return reply(401, fault(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'));
    }
    const [, resource = '', model = '', call] = MODELS.exec(path) ?? [];
    const [, described] = DESCRIBED.exec(path) ?? [];
    if (method === 'GET' && described !== undefined) {
      const name = `publishers/google/models/${described}`;
      if (listedModels('vertex').includes(described)) return reply(200, { name, versionId: 'default' });
      return reply(404, fault(404, 'NOT_FOUND', `${name} was not found.`));
    }
    const body = (exchange.json ?? {}) as Readonly<Record<string, unknown>>;
    if (method !== 'POST' || call === undefined) return reply(404, '<html>404</html>');
    if (call === 'fetchPredictOperation') return await know(exchange, resource, String(body.operationName));
    const judge = { generateContent: judgePicture, predictLongRunning: judgeFilm }[call];
    if (judge === undefined) return reply(404, fault(404, 'NOT_FOUND', `${call} was not found.`));
    const judged = judge(body, model);
    if ('missing' in judged) return reply(404, fault(404, 'NOT_FOUND', judged.missing));
    if ('fault' in judged) return reply(400, fault(400, 'INVALID_ARGUMENT', judged.fault));
    const newName = () => `${resource}/operations/${++orders}`;
    // Ids of operations are paths.
    const prompt = judged.prompt.replace(/\bid=(\S+?)(?=[\s\]])/, `id=${resource}/operations/$1`);
    const job = jobs.take(exchange, prompt, judged.input, newName);
    if (job !== null) reply(200, call === 'generateContent' ? await candidate(job) : { name: job.id });
  }

  function signIn({ bytes, reply }: Exchange): undefined {
    const wrong = signInFault(new URLSearchParams(bytes.toString()), tokenUrl);
    if (wrong !== null) return reply(400, wrong);
    const token = `ya29.fake-${++signIns}`;
    tokens.push(token);
    reply(200, { access_token: token, expires_in: 3599, token_type: 'Bearer' });
  }

  async function know(exchange: Exchange, resource: string, name: string): Promise<undefined> {
    const { reply } = exchange;
    if (!name.startsWith(`${resource}/operations/`))
      return reply(400, fault(400, 'INVALID_ARGUMENT', 'The operation is of another model.'));
    const job = jobs.jobs.get(name);
    if (job === undefined) return reply(404, fault(404, 'NOT_FOUND', `Operation ${name} was not found.`));
    const state = jobs.poll(exchange, job);
    if (state === null) return;
    const { odd } = job.words;
    const unfinished = { name, ...(odd === undefined ? {} : { done: odd }) };
    reply(200, state === 'over' ? { name, done: true, ...(await end(job)) } : unfinished);
  }

  async function end({ words }: FakeJob): Promise<object> {
    const { end = 'ok', file } = words;
    const error = ERRORS[end];
    if (error !== undefined) return { error };
    const type = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse';
    if (end === 'filtered') {
      const reasons = ['Veo could not generate videos. Support codes: 58061214'];
      return { response: { '@type': type, raiMediaFilteredCount: 1, raiMediaFilteredReasons: reasons } };
    }
    const { data } = await resultInside(file);
    const videos = end === 'empty' ? [] : [{ bytesBase64Encoded: data, mimeType: 'video/mp4' }];
    return { response: { '@type': type, raiMediaFilteredCount: 0, videos } };
  }

  async function candidate({ words }: FakeJob): Promise<object> {
    if (words.end === 'blocked') return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
    const { type: mimeType, data } = await resultInside(words.file);
    const parts = [{ text: 'Here is a fox.' }, { inlineData: { mimeType, data } }];
    return { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], modelVersion: 'fake' };
  }

  const { jobs: made, counts, forget } = jobs;
  return {
    ...server,
    key: PRIVATE_KEY,
    jobs: made,
    counts,
    forget,
    uploads: new Map(),
    misplacedKeys: [],
    signIns: () => signIns,
    revokeTokens() {
      tokens = [];
    },
  };
}
