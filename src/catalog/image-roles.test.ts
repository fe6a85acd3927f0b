import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Fault, JsonObject, JsonValue } from '@darkroom-service/contract';
import { IMAGE_ROLES, type ImageRole, type MediaField, type Model } from '@darkroom-service/contract/catalog';
import { mapParameters } from '@darkroom-service/engines/adapters';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { orderOf } from '../../test/helpers/catalog-routes.ts';
import { loadShippedCatalog, modelOf } from './fixtures/sample-catalog.ts';
import { quoteRequest } from './pricing/quote.ts';
import { resolveAction } from './resolve-action.ts';
import { type Resolution, resolveRequest } from './resolve-request.ts';
import { unsupportedFields } from './route-coverage.ts';
import { asSent } from './sent-paths.ts';

const catalog = await loadShippedCatalog();
const PICTURE = 'https://example.com/fox.png';
const withRoles = catalog.models.filter(({ compiled }) => compiled.fields.imageRoles.size > 0);

/** An order of a model in both spellings: by the fields of its images, and by `image_urls` with their roles. */
interface Spellings {
  readonly id: string;
  readonly byFields: JsonObject;
  readonly byRoles: JsonObject;
}

/** The images of a body, with roles of one model in any sequence. A role of a single image may come twice. */
const spellings = fc
  .constantFrom(...withRoles)
  .chain((model) => fc.tuple(fc.constant(model), fc.array(fc.constantFrom(...rolesOf(model)), MANY)))
  .map(([model, roles]): Spellings => {
    const { imageRoles } = model.compiled.fields;
    const fields = new Map<string, JsonValue>();
    const kept: { readonly role: ImageRole; readonly image: string }[] = [];
    for (const [index, role] of roles.entries()) {
      const { name, list } = imageRoles.get(role) as MediaField;
      const image = `https://example.com/${index}.png`;
      if (!list && fields.has(name)) continue;
      fields.set(name, list ? [...((fields.get(name) as string[] | undefined) ?? []), image] : image);
      kept.push({ role, image });
    }
    const prompt = model.parameters.prompt === undefined ? {} : { prompt: 'a fox' };
    return {
      id: model.model_id,
      byFields: { ...prompt, ...Object.fromEntries(fields) },
      byRoles: { ...prompt, image_urls: kept.map(({ image }) => image), image_roles: kept.map(({ role }) => role) },
    };
  });
const MANY = { minLength: 1, maxLength: 6 } as const;

describe('images with roles', () => {
  test('are the same order as the same images in the fields of these roles: judged, priced and sent upstream', () => {
    let sent = 0;
    fc.assert(
      fc.property(spellings, fc.constantFrom('create', 'quote'), ({ id, byFields, byRoles }, purpose) => {
        const model = modelOf(catalog, id);
        const expected = resolveRequest(model, byFields, { purpose });
        const { sentAs, ...found } = resolveRequest(model, byRoles, { purpose });
        assert.equal(found.ok, expected.ok);
        if (!found.ok || !expected.ok) {
          assert.deepEqual(found, expected);
          return;
        }
        assert.equal(JSON.stringify(found), JSON.stringify(expected));
        assert.deepEqual(quoteRequest(model, found.request, '1'), quoteRequest(model, expected.request, '1'));
        const requests = upstreamRequests(model, found);
        assert.deepEqual(requests, upstreamRequests(model, expected));
        sent += requests.length;
      }),
      { numRuns: rounds(2_000) },
    );
    assert.ok(sent > rounds(2_000) / 4, `${sent} upstream requests`);
  });

  test('have faults that name the images as they were sent', () => {
    fc.assert(
      fc.property(spellings, ({ id, byFields, byRoles }) => {
        const model = modelOf(catalog, id);
        fc.pre(resolveRequest(model, byFields, { purpose: 'create' }).ok);
        const images = byRoles.image_urls as readonly string[];
        const found = resolveRequest(model, { ...byRoles, image_urls: images.map(() => 7) }, { purpose: 'create' });
        assert.ok(!found.ok);
        const named = asSent(found.faults, found.sentAs).map(({ param }) => param);
        for (const index of images.keys()) assert.ok(named.includes(`image_urls[${index}]`), named.join());
        const others = named.filter((param) => !param?.startsWith('image_urls'));
        assert.deepEqual(
          others.filter((param) => model.compiled.fields.media.some(({ name }) => name === param)),
          [],
        );
      }),
      { numRuns: rounds(300) },
    );
  });

  test('are roles that the model knows, by the roles of its fields', () => {
    assert.deepEqual(rolesOf(modelOf(catalog, 'gpt-image-2')), ['reference', 'mask']);
    assert.deepEqual(rolesOf(modelOf(catalog, 'sketch-motion')), ['style', 'first_frame', 'last_frame']);
    assert.deepEqual(rolesOf(modelOf(catalog, 'krea-2-large')), ['style']);
    assert.deepEqual(rolesOf(modelOf(catalog, 'midjourney')), ['reference', 'control:depth', 'style', 'face']);
    for (const model of withRoles) for (const role of rolesOf(model)) assert.ok(IMAGE_ROLES.includes(role));
  });

  test('are refused with a role that the model does not know, and the refusal lists those that it knows', () => {
    for (const model of withRoles) {
      for (const role of [...IMAGE_ROLES, 'control:poses', '', 7, null, {}]) {
        if (rolesOf(model).some((known) => known === role)) continue;
        const [fault] = faultsOf(model, { image_urls: [PICTURE], image_roles: [role] });
        assert.deepEqual([fault?.param ?? null, fault?.code ?? null], ['image_roles[0]', 'unsupported_value']);
        assert.match(fault?.message ?? '', new RegExp(`Its roles: ${rolesOf(model).join(', ')}\\.`));
      }
    }
  });

  test('are refused by a model that takes no images, as any unknown field', () => {
    const model = modelOf(catalog, 'z-image-turbo');
    const codes = faultsOf(model, { image_roles: ['reference'] }).map(({ param, code }) => [param, code]);
    assert.deepEqual(codes, [['image_roles', 'unsupported_field']]);
  });

  test('are refused unless each image has one role, and each field is sent in one spelling', () => {
    const model = modelOf(catalog, 'gpt-image-2');
    const two = [PICTURE, PICTURE];
    for (const [body, param] of [
      [{ image_urls: two, image_roles: ['reference'] }, 'image_roles'],
      [{ image_urls: two, image_roles: 'reference' }, 'image_roles'],
      [{ image_urls: [], image_roles: [] }, 'image_roles'],
      [{ image_roles: ['reference'] }, 'image_roles'],
      [{ image_urls: PICTURE, image_roles: ['reference'] }, 'image_roles'],
      [{ image_urls: [...two, PICTURE], image_roles: ['reference', 'mask', 'mask'] }, 'image_roles[2]'],
      [{ image_urls: two, image_roles: ['reference', 'mask'], mask_url: PICTURE }, 'image_roles[1]'],
    ] as const)
      assert.deepEqual(
        faultsOf(model, body as JsonObject).map((fault) => fault.param),
        [param],
        JSON.stringify(body),
      );
  });

  test('have as many faults as a refusal can list', () => {
    const many = Array.from({ length: 2_000 }, () => PICTURE);
    const faults = faultsOf(modelOf(catalog, 'gpt-image-2'), { image_urls: many, image_roles: many });
    assert.ok(faults.length > 1 && faults.length < 200, `${faults.length}`);
  });

  test('count as not sent when they are null', () => {
    const model = modelOf(catalog, 'gpt-image-2');
    const body = { prompt: 'a fox', image_urls: [PICTURE] };
    const found = resolveRequest(model, { ...body, image_roles: null }, { purpose: 'create' });
    assert.deepEqual(found, resolveRequest(model, body, { purpose: 'create' }));
  });

  test('give an action its mask', () => {
    const model = modelOf(catalog, 'sketch-grid');
    const parent = resolveRequest(model, { prompt: 'a fox' }, { purpose: 'create' });
    assert.ok(parent.ok);
    const single = { request: parent.request, grid: false, width: 1024, height: 1024 };
    const act = (body: JsonObject) =>
      resolveAction(model, { action: 'vary_region', ...body }, single, { purpose: 'create' });
    const { sentAs, ...found } = act({ image_urls: [PICTURE], image_roles: ['mask'] });
    assert.deepEqual(found, act({ mask_url: PICTURE }));
    assert.deepEqual([...(sentAs ?? [])], [['mask_url', 'image_urls[0]']]);
  });
});

function rolesOf({ compiled }: Model): ImageRole[] {
  return [...compiled.fields.imageRoles.keys()];
}

function faultsOf(model: Model, body: JsonObject): readonly Fault[] {
  const found = resolveRequest(model, { prompt: 'a fox', ...body }, { purpose: 'create' });
  return found.ok ? assert.fail('expected faults, found none') : found.faults;
}

/** The bodies of every route that can make the order. */
function upstreamRequests(model: Model, { request }: Extract<Resolution, { ok: true }>): readonly JsonObject[] {
  return model.routes
    .filter((route) => unsupportedFields(route, model, request).length === 0)
    .map((route) =>
      mapParameters(orderOf(request, route, 'task').request, { parameters: route.parameters ?? {}, fixed: {} }),
    );
}
