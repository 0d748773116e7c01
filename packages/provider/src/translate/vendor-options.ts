import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { JsonObject, VendorData } from '@robota-sdk/agent-core';
import type { PromptRules } from './to-prompt.ts';

/** Vendor data as provider options, only for the family that created it. */
export function vendorOptions(
  vendor: VendorData | undefined,
  rules: PromptRules,
): { providerOptions: SharedV3ProviderOptions } | undefined {
  if (!vendor || vendor.family !== rules.family) return undefined;
  // Both types are plain JSON; the package's type only lacks `readonly`.
  const key = rules.sendKey ?? rules.optionsKey;
  return { providerOptions: { [key]: vendor.data } as SharedV3ProviderOptions };
}

/** Provider metadata of a stream part as vendor data; `undefined` if there is none. */
export function toVendorData(
  metadata: Readonly<Record<string, unknown>> | undefined,
  rules: Pick<PromptRules, 'family' | 'optionsKey'>,
): VendorData | undefined {
  const own = metadata?.[rules.optionsKey] as JsonObject | undefined;
  if (!own) return undefined;
  const known = Object.entries(own).filter(([, value]) => value !== null && value !== undefined);
  if (known.length === 0) return undefined;
  return { family: rules.family, data: Object.fromEntries(known) };
}
