import { copyValue, isObject } from "../../message/plain-value.js";
import type { ProviderOptions } from "../../message/types.js";

/** The AI SDK's metadata of a part (`{ anthropic: { signature } }`), as it goes back to the provider. */
export function optionsOf(metadata: unknown): { providerOptions?: ProviderOptions } {
  if (!isObject(metadata)) return {};
  const named = Object.entries(metadata).filter(([, fields]) => isObject(fields));
  return named.length > 0 ? { providerOptions: copyValue(Object.fromEntries(named)) as ProviderOptions } : {};
}
