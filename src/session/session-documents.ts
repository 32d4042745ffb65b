/** The small documents of a session: what it was opened with, how it counts, what is pinned. */
import { isObject, sameValue } from "../message/plain-value.js";
import type { Calibration } from "../tokens/calibration.js";
import { OPTIONS, PINS } from "./document-names.js";
import type { Engine } from "./engine.js";
import type { PinOutcome } from "./pin.js";
import type { Pins } from "./pins.js";
import type { HeldOptions } from "./session-options.js";
import type { Documents, StoredLog } from "./stored-log.js";
import { storableOptions } from "./stored-options.js";
import { ACCOUNT } from "./view-account.js";

const CALIBRATION = "state/calibration";

interface StoredCalibration extends Calibration {
  /** The model that it belongs to. */
  readonly model: string | null;
  /** Those of the ratios' past that views are counted with. */
  readonly counted?: Calibration["ratios"];
}

export function writeOptions(documents: Documents, options: HeldOptions): void {
  replace(documents, OPTIONS, storableOptions(options));
}

export function writeCalibration(documents: Documents, { calibration, counted, options }: Engine): void {
  const stored = { model: options.model ?? null, ratios: calibration.ratios, counted: counted.ratios };
  replace(documents, CALIBRATION, stored);
}

/** The pins once a view has told of those that ended. */
export function writePins(documents: Documents, { state: { pins } }: Pins): void {
  if (pins.length > 0 || documents.get(PINS) !== undefined) replace(documents, PINS, { pins, ended: [] });
}

/** Writes one pin, and removes those that gave way to it; pins of others stay. */
export function pinWriter(pins: Pins, entry: string, { gaveWay }: PinOutcome): (documents: Documents) => void {
  const pin = pins.state.pins.filter((each) => each.entry === entry);
  const gone = new Set([entry, ...gaveWay.map((each) => each.entry)]);
  const ended = pins.state.ended;
  return (documents) => {
    const before = pinsIn(documents);
    documents.set(PINS, { pins: [...before.pins.filter((each) => !gone.has(each.entry)), ...pin], ended });
  };
}

export const unpinWriter = (entry: string) => (documents: Documents) => {
  const before = pinsIn(documents);
  documents.set(PINS, { ...before, pins: before.pins.filter((each) => each.entry !== entry) });
};

const pinsIn = (documents: Pick<Documents, "get">): Pins["state"] => {
  const stored = documents.get(PINS);
  return isObject(stored) ? (stored as unknown as Pins["state"]) : { pins: [], ended: [] };
};

/** What says the same already is not written again. */
export function replace(documents: Documents, name: string, value: object): void {
  if (!sameValue(documents.get(name), value)) documents.set(name, value);
}

/** Takes over what the documents say, of which these have changed. */
export function readState(stored: StoredLog, engine: Engine, changed: ReadonlySet<string>): void {
  const calibration = stored.document(CALIBRATION) as StoredCalibration | undefined;
  if (calibration !== undefined && calibration.model === (engine.options.model ?? null)) {
    const { ratios, counted = ratios } = calibration;
    engine.calibrate({ ratios }, { ratios: counted });
  }
  readPins(stored, engine);
  if (changed.has(ACCOUNT)) engine.accounts.restore(stored.document(ACCOUNT));
}

export function readPins(stored: StoredLog, engine: Engine): void {
  if (stored.document(PINS) !== undefined) engine.pins.restore(pinsIn({ get: (name) => stored.document(name) }));
}
