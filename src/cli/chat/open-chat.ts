import {
  sessionOptions as configuredOptions,
  configuredScope,
  MODEL_PARTS,
  partOptions,
} from "../../config/configured.js";
import type { LoadedConfig } from "../../config/load-config.js";
import { configuredModel } from "../../config/parts.js";
import { resolveEndpoint } from "../../config/providers.js";
import { VarveError } from "../../errors.js";
import type { StreamingModel } from "../../model/streaming.js";
import type { SessionMemoryOptions } from "../../session/memory/memory-options.js";
import { openVarve, type Varve } from "../../session/open-varve.js";
import type { Session } from "../../session/session.js";
import type { SessionOptions } from "../../session/session-options.js";
import { defined } from "../../session/strategy-settings.js";
import type { Scope } from "../../store/memories/memories.js";
import { allSessions, configOf, openConfigured, type SessionChoice } from "../open.js";
import { checkWindow } from "./check-window.js";
import { systemPrompt } from "./system-prompt.js";
import { chatTools } from "./tools/chat-tools.js";
import type { ChatTool } from "./tools/tool.js";

export interface ChatChoice extends SessionChoice {
  /** Begins a session rather than going on with the last one. */
  readonly new?: boolean;
}

/** All that a chat stands on. */
export interface Chat {
  readonly loaded: LoadedConfig;
  readonly varve: Varve;
  readonly session: Session;
  /** False where the session was there before. */
  readonly isNew: boolean;
  readonly model: StreamingModel;
  readonly tools: readonly ChatTool[];
  readonly system: string;
  /** Whose memories are used; undefined where none are. */
  readonly scope: Scope | undefined;
}

const PREFIX = "chat:";
const CHECKPOINT_EVERY = 20;

/** Opens a chat as configured and hands it to `work`; whatever happens, all that was said is durable in the end. */
export async function withChat<T>(options: ChatChoice, work: (chat: Chat) => Promise<T>): Promise<T> {
  const loaded = await configOf(options);
  const endpoint = { ...loaded.config.chat, model: options.model ?? loaded.config.chat?.model ?? loaded.config.model };
  if (endpoint.model === undefined) throw noModel();
  await loaded.allow("chat", "chat.system", "chat.environment", "texts");
  const model = await configuredModel(endpoint, process.env);
  const { keyName, apiKey, isOwn } = resolveEndpoint(endpoint, process.env);
  if (apiKey === undefined && !isOwn) throw noKey(model.name, keyName);
  const parts = await partOptions(loaded, MODEL_PARTS);
  const varve = await openVarve({ ...parts, store: await openConfigured(loaded, true) });
  try {
    return await work(await openIn(varve, options, { loaded, model }));
  } finally {
    await varve.close();
  }
}

const noModel = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "No model is named.",
    hint: 'Name one with --model, such as --model gpt-4.1-mini, with "chat": { "model": … } in varve.json, or with VARVE_CHAT_MODEL.',
    details: { option: "--model" },
  });

/** Told before anything is written or sent. An address of one's own may do without. */
const noKey = (model: string, keyName: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `The model "${model}" needs a key, and the environment variable ${keyName} is not set.`,
    hint: `Set ${keyName}, or name another variable with "apiKeyEnv", or an address of your own with "baseURL", under "chat" in varve.json.`,
    details: { model, variable: keyName },
  });

interface Prepared {
  readonly loaded: LoadedConfig;
  readonly model: StreamingModel;
}

async function openIn(varve: Varve, options: ChatChoice, { loaded, model }: Prepared): Promise<Chat> {
  const id = await chosenId(options, varve);
  const isNew = (await varve.describe(id)) === undefined;
  const memory = await memoryOptions(loaded);
  const scope = loaded.config.memory?.enabled === false ? undefined : memory.scope;
  const folder = process.cwd();
  const { system = systemPrompt(folder), environment = [] } = loaded.config.chat ?? {};
  const toolsOf = (session: Session) =>
    chatTools({ folder, session, memory: scope && varve.memory({ scope }), environment });
  const sessionOptions = await optionsFor(options, { loaded, memory, isNew, model: model.name });
  await checkWindow(sessionOptions, { system, tools: toolsOf });
  const session = await varve.session(id, sessionOptions);
  return { loaded, varve, session, isNew, model, tools: await toolsOf(session), system, scope };
}

/** The session that is named, the last one of a chat, or another one. Sessions of other programs are left to them. */
async function chosenId(options: ChatChoice, varve: Varve): Promise<string> {
  const named = options.session ?? (options.new ? undefined : process.env.VARVE_SESSION);
  if (named) return named;
  const chats = options.new ? [] : await allSessions(varve, PREFIX);
  const latest = chats.sort((a, b) => b.updated - a.updated)[0];
  return latest?.id ?? `${PREFIX}${new Date().toISOString().slice(0, 23)}`;
}

interface Opened {
  readonly loaded: LoadedConfig;
  readonly memory: SessionMemoryOptions;
  readonly isNew: boolean;
  readonly model: string;
}

/** A session goes on with its own strategy; its window is that of the model it is sent to. */
async function optionsFor(options: ChatChoice, { loaded, memory, isNew, model }: Opened): Promise<SessionOptions> {
  const configured = await configuredOptions(loaded);
  const { window, reserve = loaded.config.chat?.maxOutputTokens } = configured;
  const sized = {
    ...configured,
    ...(window === undefined && { model: configured.model ?? model }),
    ...(reserve !== undefined && { reserve }),
    memory,
  };
  if (isNew) return { checkpointEvery: CHECKPOINT_EVERY, ...sized };
  const { strategy: _strategy, ...rest } = sized;
  return defined({ ...rest, strategy: options.strategy === undefined ? undefined : configured.strategy });
}

async function memoryOptions(loaded: LoadedConfig): Promise<SessionMemoryOptions> {
  const { enabled = true, scope: _scope, ...rest } = loaded.config.memory ?? {};
  return { recall: enabled, learn: enabled, ...defined(rest), scope: await configuredScope(loaded) };
}
