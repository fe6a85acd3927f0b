import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../engine.ts';
import { errorFromAnswer } from './error-map.ts';
import { classOfFailure, subjectOf } from './error-words.ts';

/**
 * Sentences of vendors with the HTTP status that they came with, from public reports (`owner/name#thread`, 2026-11-29)
 * and from vendors' documents, as these or client programs quote them. `variation`: other forms of such sentences. The
 * status 0 is the reason of a job that had failed.
 */
const REFUSALS = `
content_policy
400 openstory-so/openstory#1505 | Request blocked due to safety violations (harmful content). Please modify your input and retry.
400 mishl-dev/Discord-AI-Chatbot#160 | Your request was rejected as a result of our safety system. Your prompt may contain text that is not allowed by our safety system.
400 jeffstric/ZJT#480 | Your request was rejected by the safety system. If you believe this is an error, contact us at Azure support ticket and include the request ID 063f708f. safety_violations=[violence].
400 jeffstric/ZJT#494 | Gemini image generation blocked [IMAGE_SAFETY]: The generated image was blocked due to safety policy violation, please modify your prompt and try again
422 pollinations/pollinations#12067 | Your request was rejected by content moderation. The prompt, input, or generated content was flagged as disallowed — adjust your input and try again.
403 pollinations/pollinations#9707 | Your resource has been temporarily blocked because we detected behavior that may violate our content policy.
400 epam/ai-dial-adapter-vertexai#66 | Image generation failed with the following error: The response is blocked, as it may violate our policies. If you believe this is an error, please send feedback to your account team. Error Code: 58061214
400 HKUDS/ViMax#20 | The prompt could not be submitted. This prompt contains sensitive words that violate Google's Responsible AI practices. Try rephrasing your prompt, or contact your Google representative to request allowlisting. Support codes: 58061214
0 anthropics/claude-code#14105 | The prompt could not be submitted. This prompt contains words that violate Vertex AI's usage guidelines. Try rephrasing the prompt. If you think this was an error, send feedback. Support codes: 29310472
0 googleapis/js-genai#1272 | We encountered an issue with the audio for your prompt, which means we could not create your video. This can sometimes happen due to our safety filters or other processing issues. You have not been charged for this attempt.
0 google-gemini/deprecated-generative-ai-js#432 | This query violates the policy against generating content that promotes or condones violence, incites hatred, promotes discrimination, or disparages on the basis of race or ethnic origin.
0 variation | I cannot fulfil this request. It violates the policy against generating images of identifiable people.
400 ffroliva/gflow-cli#342 | PUBLIC_ERROR_UNSAFE_GENERATION
0 replicate/cog-stable-diffusion#24 | NSFW content detected. Try running it again, or try a different prompt.
0 replicate/cog-stable-diffusion#84 | Potential NSFW content was detected in one or more images. A black image will be returned instead. Try again with a different prompt and/or seed.
0 pollinations/pollinations#11809 | Qwen Image Edit generation failed: All generated images contained NSFW content
0 HeyPuter/puter#3719 | The input or output was flagged as sensitive. Please try again with different inputs. (E005)
403 theopenco/llmgateway#1785 | Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_CSAM
403 ZHO-ZHO-ZHO/ComfyUI-StableDiffusion3-API#2 | Your request was flagged by our content moderation system, as a result your request was denied and you were not charged.
0 black-forest-labs/bfl-comfy-nodes#4 | Request Moderated
0 docs.bfl.ml, get_result | Content Moderated: Derivative Works Filter
0 lumalabs/ComfyUI-LumaAI-API#7 | Generation failed: Advanced moderation failed
0 vm0-ai/vm0#30959 | The request failed because the output video may contain sensitive information. Request id: 021788253659
0 Comfy-Org/ComfyUI#13883 | The request failed because the output audio may contain sensitive information. Request id: 021778724921967
400 vm0-ai/vm0#31359 | The request failed because the input image may contain real person. Request id: 0217
0 openstory-so/openstory#1680 | The request failed because the output audio may be related to copyright restrictions. Request id: 58662220000
400 camel-ai/owl#432 | Input data may contain inappropriate content.
400 openclaw/openclaw#32622 | <400> InternalError.Algo.DataInspectionFailed: Input text data may contain inappropriate content.
0 klingai.com, error codes | Failure to pass the risk control system
400 klingai.com, error codes | Trigger strategy, content security policy, check the input content and resend the request
0 platform.minimax.io, error codes | input new_sensitive, output new_sensitive: The input content is sensitive
422 docs.ltx.video/errors | Content is filtered due to policy restrictions
422 docs.ltx.video/errors | Content rejected by safety filters
422 docs.fal.ai, errors | The content could not be processed because it contained material flagged by a content checker.
400 deepseek-ai/awesome-deepseek-integration#13 | Content Exists Risk
400 lm-sys/FastChat#99 | YOUR INPUT VIOLATES OPENAI CONTENT MODERATION API. PLEASE TRY AGAIN.
400 wavespeed.ai/docs/error-codes | The content contains sensitive information.
400 microsoft/Codex-CLI#92 | Sensitive content detected, response has been redacted
422 developer.ideogram.ai, errors | Prompt failed the safety check
400 docs.runwayml.com, task failures | Text prompt did not pass content moderation
0 docs.vidu.com, error codes | CreationPolicyViolation
0 docs.vidu.com, error codes | AuditSubmitIllegal
400 variation | Blocked by safety settings
400 variation | The prompt has prohibited contents
400 variation | The input has sensitive contents
400 variation | Rejected for content violations
400 help.openai.com, DALL·E | Your prompt was rejected because it goes against our content policies.
400 learn.microsoft.com, content filter | The response was filtered due to the prompt triggering Azure OpenAI's content management policy.
400 volcengine.com, error codes | 输入文本包含敏感内容，请修改后重试
billing
403 fal-ai/fal#1147 | User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.
403 fal-ai/fal#1163 | User is locked. Reason: TOP_UP.
403 fal-ai/fal#1168 | User is locked. Reason: Admin lock. Please contact support@fal.ai
403 fal-ai/fal#1117 | Your account has been locked Admin lock. Please contact support@fal.ai.
429 continuedev/continue#10373 | Your team 16f2151a has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.
403 Wei-Shaw/sub2api#4069 | You have run out of credits or need a Grok subscription. Add credits at https://grok.com/?_s=usage
429 dyad-sh/dyad#3626 | Your prepayment credits are depleted. Please go to AI Studio at https://ai.studio/projects to manage your project and billing.
429 modelscope/modelscope#1691 | insufficient balance (1008)
500 MiniMax-AI/MiniMax-M2#62 | insufficient balance (1008)
402 harry0703/MoneyPrinterTurbo#770 | Insufficient Balance
402 unslothai/unsloth#8518 | Insufficient credits. Add more using https://openrouter.ai/settings/credits
402 anomalyco/opencode#12219 | This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 0.
400 astrio-labs/forall#76 | This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 2666.
400 runwayml/sdk-node#28 | You do not have enough credits to run this task.
400 dfinke/PowerShellAI#127 | Billing hard limit has been reached
400 tencentmusic/supersonic#1572 | Access denied, please make sure your account is in good standing.
402 docs.ltx.video/errors | Insufficient funds. Required: 120 credits
400 docs.ltx.video/errors | Your account does not have enough credits to complete this request.
429 docs.assistive.chat, error codes | You don't have enough credits to generate a video. Please purchase more credits.
403 docs.boosta.pro/api/errors | No credits remaining
402 Gitlawb/openclaude#1491 | Insufficient credits — top up your balance
429 klingai.com, error codes | Account balance not enough
429 klingai.com, error codes | Account in arrears (postpaid scenario)
403 Arcticons-Team/Arcticons#2757 | The job was not started because recent account payments have failed or your spending limit needs to be increased.
403 BytePlus ModelArk, error codes | The request failed because your account has an overdue balance
403 alibabacloud.com, error codes | The free tier of the model has been exhausted. If you wish to continue access the model on a paid basis, please disable the "use free tier only" mode in the management console.
429 alibabacloud.com, error codes | Free allocated quota exceeded.
403 platform.openai.com, error codes | Your account is not active, please check your billing details on our website.
400 cloud.google.com, Imagen | Imagen API is only accessible to billed users at this time.
403 cloud.google.com, errors | This API method requires billing to be enabled. Please enable billing on project #1 by visiting the console.
402 replicate.com/docs | You have insufficient credit to run this model.
400 TencentCloud, error codes | The service is suspended due to overdue payments. Top up your account first.
429 google-gemini/gemini-cli#24396 | Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0
429 googleapis/js-genai#1322 | You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generate_content_free_tier_requests, limit: 0, model: gemini-2.5-flash-preview-image *
429 ai-christianson/RA.Aid#182 | Gemini 2.5 Pro Preview doesn't have a free quota tier. Please use Gemini 2.5 Pro Experimental instead.
429 chatboxai/chatbox#1361 | Rate limit exceeded for images per minute in organization org-A. Limit: 0/1min. Current: 1/1min.
400 volcengine.com, error codes | 账户余额不足，请充值后重试
0 docs.lumalabs.ai, failures | Insufficient credits
day
429 google-gemini/gemini-cli#15215 | You have exhausted your daily quota on this model.
429 cline/cline#5301 | Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day
403 tokland/youtube-upload#165 | Daily Limit Exceeded. The quota will be reset at midnight Pacific Time (PT).
429 docs.dev.runwayml.com/usage/tiers | You have reached the daily task limit for this model.
429 platform.openai.com/docs/guides/rate-limits | Rate limit reached for images per day (IPD): Limit 50, Used 50, Requested 1. Please try again in 28m48s.
rate_limited
429 mmz-001/knowledge_gpt#3 | Rate limit reached for default-global-with-image-limits in organization org-k on requests per min. Limit: 60.000000 / min. Current: 80.000000 / min.
429 TomFrankly/pipedream-notion-voice-notes#21 | Rate limit reached for default-moderation-api in organization org-p on requests per min. Limit: 3 / min. Please try again in 20s. Please add a payment method to your account to increase your rate limit. Visit https://platform.openai.com/account/billing to add a payment method.
429 abi/screenshot-to-code#76 | tokens per min (TPM): Limit 10000, Used 6701, Requested 4497. Please try again in 7.188s.
429 googleapis/js-genai#1841 | Resource has been exhausted (e.g. check quota).
429 google-gemini/gemini-cli#8437 | You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.
429 leancodepl/arb_translate#7 | Quota exceeded for aiplatform.googleapis.com/generate_content_requests_per_minute_per_project_per_base_model with base model: gemini-pro. Please submit a quota increase request.
429 replicate.com/docs/topics/predictions/rate-limits | Request was throttled. Your rate limit for creating predictions is reduced to 6 requests per minute with a burst of 1 requests while you have less than $5.0 in credit. Your rate limit resets in ~30s.
429 klingai.com, error codes | parallel task over resource pack limit
busy
503 ai.google.dev/gemini-api/docs/troubleshooting | The model is overloaded. Please try again later.
503 wavespeed.ai/docs/error-codes | The service is temporarily unavailable. Please try again later.
invalid_input
400 googleapis/js-genai#1322 | Invalid JSON payload received. Unknown name "responseModalities" at 'generation_config': Cannot find field.
400 docs.ltx.video/errors | prompt is required
422 docs.fal.ai, errors | Could not load the image. Please ensure the image is publicly accessible.
400 klingai.com, error codes | The resolution or aspect ratio of the input image is invalid. Please ensure it meets the required specifications.
400 jeffstric/ZJT#663 | MiniMax H3 reference videos need at least 5 frames (~0.2s at 24 fps)
400 platform.minimax.io, error codes | illegal characters exceed ten percent
auth
403 variation | Invalid token
400 docs.x.ai, debugging | Incorrect API key provided: xa***01. You can obtain an API key from https://console.x.ai.
model
400 docs.x.ai, debugging | The model grok-imagine-1 does not exist or your team does not have access to it.
400 openai/openai-python#2755 | Unknown model: gpt-image-0
`;

/** Words of refusals in messages that are about something else, by what they are. */
const NO_REFUSALS = `
invalid_input
400 safety_tolerance must be at most 6
400 Invalid value for 'moderation': must be one of auto, low
400 Invalid value at 'safety_settings[0].category'
400 Unknown parameter: 'content_filter'
400 enable_safety_checker must be a boolean
400 nsfw_filter should be true or false
422 content filter level is not a valid value
400 Unsupported image filter: blur
400 Model names are case sensitive: use gpt-image-2
400 The prompt is too long: no more than 500 characters in the daily plan
400 Generation failed. No credits were charged.
400 no credits will be deducted for this attempt; the image is too small
400 The image must be smaller
upstream
0 safety checker timed out
0 The content moderation service is temporarily unavailable
0 moderation server error
0 nsfw checker could not be loaded
0 NSFW classifier crashed
0 Generation failed. No credits were used.
0 CUDA out of memory
0 the safety filter model failed to load
0 Your credits have been refunded
0 the video limit is 0.5 GB a day
rate_limited
429 Too many requests
429 Rate limit exceeded: 10 requests per minute (100 images per day on this plan)
429 Top up your account for higher limits. Too many requests per minute.
429 limit: 0.5 requests per second
`;

interface Sentence {
  readonly wanted: string;
  readonly status: number;
  readonly source: string;
  readonly words: string;
}

function sentencesIn(table: string): Sentence[] {
  let wanted = '';
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, status, source = '', words = ''] = /^(\d+) (?:(.+?) \| )?(.+)$/.exec(line) ?? [];
      if (status === undefined) wanted = line;
      return status === undefined ? [] : [{ wanted, status: Number(status), source, words }];
    });
}

/** Returns the class of a sentence in an answer to an order, or of one that a failed job gave as its reason. */
function classOf({ status, words }: Pick<Sentence, 'status' | 'words'>, ordered: readonly string[] = []): string {
  if (status === 0) return classOfFailure({ message: words }, ordered);
  const answer = { status, headers: {}, text: '', body: { error: { message: words } }, ordered: () => ordered };
  const context = { name: 'Far', explain: () => null, secrets: [], orders: true };
  const error = errorFromAnswer(answer, context);
  assert.ok(error instanceof EngineError);
  if (error.class === 'rate_limited' && error.scope === 'route') return 'day';
  return error.class === 'auth' && error.scope === 'route' ? 'model' : error.class;
}

test('what vendors say is understood, whatever its status', () => {
  const sentences = sentencesIn(REFUSALS);
  assert.ok(sentences.length >= 80, String(sentences.length));
  const wrong = sentences.filter((sentence) => classOf(sentence) !== sentence.wanted);
  assert.deepEqual(
    wrong.map((one) => `${classOf(one)} in place of ${one.wanted}: ${one.words} (${one.source})`),
    [],
  );
});

test('words of refusals in messages about something else are no refusals', () => {
  const wrong = sentencesIn(NO_REFUSALS).filter((sentence) => classOf(sentence) !== sentence.wanted);
  assert.deepEqual(
    wrong.map((one) => `${classOf(one)} in place of ${one.wanted}: ${one.words}`),
    [],
  );
});

test('no sentence of a vendor that an order quotes is the reason of its refusal', () => {
  for (const { words } of sentencesIn(REFUSALS)) {
    assert.equal(classOf({ status: 400, words: `The prompt "${words}" is too long` }, [words]), 'invalid_input', words);
    assert.equal(classOf({ status: 429, words: `Slow down: "${words}"` }, [words]), 'rate_limited', words);
    assert.equal(classOf({ status: 0, words: `cannot draw "${words}"` }, [words]), 'upstream', words);
    assert.equal(subjectOf(`Too long: "${words.slice(0, 40)}…"`, [words]), null, words);
  }
});
