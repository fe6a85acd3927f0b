import { ApiError, type Fault } from '../../api/api-error.ts';
import type { Values } from '../../api/model.ts';
import type { Refusal } from './order/use-ordering.ts';

/**
 * Returns the part of a refusal that still concerns the form: errors of fields that were changed since are left out.
 * null = nothing is left.
 * @param form the order as the form would send it now
 */
export function standingRefusal(refusal: Refusal | null, form: Values): Refusal | null {
  if (refusal === null || refusal.kind === 'action') return refusal;
  const { error, body } = refusal;
  const stands = ({ param }: Pick<Fault, 'param'>) => {
    const field = param?.split(/[.[]/)[0];
    return field === undefined || field === 'max_price' || !(field in body || field in form)
      ? isSameOrder(body, form)
      : JSON.stringify(body[field]) === JSON.stringify(form[field]);
  };
  const details = error.details.filter(stands);
  if (error.details.length === 0) return stands(error) ? refusal : null;
  if (details.length === error.details.length) return refusal;
  const [first] = details;
  if (first === undefined) return null;
  return { ...refusal, error: new ApiError({ ...error, message: first.message, details }) };
}

/** Compares two orders. The form has a price limit only if the user set one. */
function isSameOrder(body: Values, form: Values): boolean {
  const names = new Set([...Object.keys(body), ...Object.keys(form)]);
  return [...names].every(
    (name) =>
      JSON.stringify(body[name]) === JSON.stringify(form[name]) || (name === 'max_price' && form[name] === undefined),
  );
}
