import { createHash } from 'node:crypto';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import {
  AssertionLabels,
  ValidationStatusCode as Code,
  type IngredientAssertion,
  type Manifest,
  ManifestStore,
} from '@trustnxt/c2pa-ts/manifest';
import { checkBinding } from './check-binding.ts';
import type { ManifestPlace } from './manifest-place.ts';
import { sourceTypesIn } from './manifest-statement.ts';
import { manifestsOf } from './manifest-store.ts';

/** The result of each check of a manifest, as the specification of C2PA lists it. */
export type ManifestCheck = NonNullable<IngredientAssertion['validationResults']>['activeManifest'];

/** Code of our own, which shows readers that nobody has checked. */
const NOT_VALIDATED = 'darkroom.notValidated' as Code;
/** The library trusts every certificate. */
const TRUST = [Code.SigningCredentialTrusted, Code.TimeStampTrusted];
const MOST_PARTS = 1_000_000;
const NODE_NAMES: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' };
const BOUND: Readonly<Record<string, readonly [match: Code, mismatch: Code]>> = {
  [AssertionLabels.dataHash]: [Code.AssertionDataHashMatch, Code.AssertionDataHashMismatch],
  [AssertionLabels.bmffV2Hash]: [Code.AssertionBMFFHashMatch, Code.AssertionBMFFHashMismatch],
  [AssertionLabels.bmffV3Hash]: [Code.AssertionBMFFHashMatch, Code.AssertionBMFFHashMismatch],
};

const MISMATCHES = [...Object.values(BOUND).map(([, mismatch]) => mismatch), Code.AssertionHashedURIMismatch];

type Writable = { [Name in keyof ManifestCheck]: ManifestCheck[Name][number][] };

/**
 * Checks the active manifest of a file: the signature of its claim, the hash of each assertion, and whether it belongs
 * to the bytes of the file. The reader decides which certificates to trust.
 * @returns null without a manifest, or if it cannot be read
 */
export async function checkManifest(path: string, { store, boxes }: ManifestPlace): Promise<ManifestCheck | null> {
  if (store === null) return null;
  const check: Writable = { success: [], informational: [], failure: [] };
  let active: Manifest;
  try {
    active = readActive(store);
    await checkStore(active, check);
  } catch {
    // Other readers refuse a file that contains an unreadable manifest.
    return null;
  }
  const bindings = active.assertions?.getHardBindings() ?? [];
  if (bindings.length > 1) check.failure.push({ code: Code.AssertionMultipleHardBindings, url: uriOf(active) });
  for (const binding of bindings) {
    const url = `${uriOf(active)}/c2pa.assertions/${binding.fullLabel}`;
    const [match, mismatch] = BOUND[binding.label ?? ''] ?? [];
    const result = match === undefined ? null : await checkBinding(path, boxes, binding);
    if (match === undefined || mismatch === undefined || result === null)
      check.informational.push({ code: NOT_VALIDATED, url, explanation: 'the binding to the file was not checked' });
    else if (result === 'match') check.success.push({ code: match, url });
    else check.failure.push({ code: mismatch, url });
  }
  // A manifest of changed metadata relies on that of its parent.
  if (bindings.length === 0)
    check.informational.push({
      code: NOT_VALIDATED,
      url: uriOf(active),
      explanation: 'no binding to the file was checked',
    });
  return check;
}

/** Checks the signature of the claim, and the hash of each assertion. @throws Error for an unreadable part */
async function checkStore(active: Manifest, check: Writable): Promise<void> {
  const uri = uriOf(active);
  const signed = `${uri}/c2pa.signature`;
  const { claim, signature } = active;
  const payload = claim?.getBytes(claim);
  if (claim === undefined || payload === undefined) throw new Error('the manifest has no claim');
  if (signature === undefined || active.getComponentByURL(claim.signatureRef, true) !== signature) {
    check.failure.push({ code: Code.ClaimSignatureMissing, url: signed });
    return;
  }
  for (const { code, success } of (await signature.validate(payload)).statusEntries)
    if (!TRUST.includes(code)) check[success === true ? 'success' : 'failure'].push({ code, url: signed });
  check.informational.push({
    code: NOT_VALIDATED,
    url: signed,
    explanation: 'no list of trusted certificates was used',
  });

  const redacted = active.parentStore.manifests.flatMap((one) => one.claim?.redactedAssertions ?? []);
  for (const { uri: name, hash, algorithm } of [...claim.assertions, ...claim.gatheredAssertions]) {
    const url = `${uri}/${name.replace(/^self#jumbf=(?:\/c2pa\/[^/]+\/)?/, '')}`;
    const bytes = active.getComponentByURL(name)?.getBytes(claim);
    const node = NODE_NAMES[algorithm];
    if (bytes === undefined) {
      if (!redacted.some((one) => one.uri === url)) check.failure.push({ code: Code.AssertionMissing, url });
    } else if (node === undefined) check.failure.push({ code: Code.AlgorithmUnsupported, url });
    else if (createHash(node).update(bytes).digest().equals(hash))
      check.success.push({ code: Code.AssertionHashedURIMatch, url });
    else check.failure.push({ code: Code.AssertionHashedURIMismatch, url });
  }
}

function uriOf({ label }: Manifest): string {
  return `self#jumbf=/c2pa/${label}`;
}

/** Tells whether a manifest is proved to belong to its file, except for the trust in its certificate. */
export function isProved({ success, failure }: ManifestCheck): boolean {
  const isBound = success.some(({ code }) => Object.values(BOUND).some(([match]) => match === code));
  return isBound && failure.length === 0 && success.some(({ code }) => code === Code.ClaimSignatureValidated);
}

/**
 * Tells whether a manifest can be included in another file: its claim is as it was signed, so the result of other
 * readers is known. Readers refuse a file for a claim whose damage was not stated.
 */
export function isSound({ success, failure }: ManifestCheck): boolean {
  const isSigned = success.some(({ code }) => code === Code.ClaimSignatureValidated);
  return isSigned && failure.every(({ code }) => MISMATCHES.includes(code));
}

/** Returns the active manifest of a store. @throws Error if a part cannot be read */
function readActive(store: Buffer): Manifest {
  sourceTypesIn(store, MOST_PARTS);
  const active = ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(store))).getActiveManifest();
  if (active === undefined || active.label !== manifestsOf(store).at(-1)?.label)
    throw new Error('the active manifest is of an unknown kind');
  return active;
}
