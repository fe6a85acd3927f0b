import { OURS } from '../api/model.ts';
import { BrandMark } from './brand-mark.tsx';
import classes from './vendor-mark.module.css';

const HUES = 12;

/** A background in the colour of a vendor, derived from its name. */
function gradientOf(vendor: string): string {
  let sum = 0;
  for (const character of vendor) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  const hue = ((sum % HUES) * 360) / HUES;
  return `linear-gradient(140deg, oklch(58% 0.12 ${hue}), oklch(36% 0.09 ${hue + 30}))`;
}

/** A vendor's initial on its colour. */
export function VendorMark({ vendor }: { readonly vendor: string }) {
  if (vendor === OURS) return <BrandMark size={40} />;
  return (
    <span className={classes.mark} aria-hidden="true" style={{ background: gradientOf(vendor) }}>
      {vendor.slice(0, 1)}
    </span>
  );
}
