import type { LoadConfigOptions } from "../config/load-config.js";
import { type TrustRequest, wantedWords } from "../config/trust.js";
import { confirm } from "./terminal/confirm.js";
import { visible } from "./terminal/visible.js";

type Trust = NonNullable<LoadConfigOptions["trust"]>;

/** Trusts what the user has trusted before, or does when asked. */
export const askTrust =
  ({ trust = false }: { readonly trust?: boolean }): Trust =>
  async (request) => {
    if (trust || ON.has(process.env.VARVE_TRUST ?? "")) return true;
    const { isTrustedFile, trustFile } = await import("../config/trusted-files.js");
    if (isTrustedFile(request, process.env)) return true;
    if (!(await confirm(`${wantWords(request)} Trust it?`))) return false;
    trustFile(request, process.env);
    return true;
  };

const ON = new Set(["1", "true", "on", "yes"]);

/** "/home/ann/atlas/varve.json wants to run ./x.js and to send KEY to http://…". No code in it can hide a part of it. */
export const wantWords = (request: TrustRequest): string => visible(wantedWords(request));
