import { ATTRIBUTES, PROFESSIONS } from "./vocabulary.js";

/**
 * Words of which every sentence has one that a rule could read. Most sentences have none, and are passed over by one look
 * at their words.
 */
const TELLING = new Set([
  ...ATTRIBUTES,
  ...PROFESSIONS,
  ...(
    "live lives living resides reside based settled moved relocated from born work works working employed started job accepted took hired " +
    "joined quit left resigned laid fired promoted became appointed now married divorced engaged single widowed separated wife " +
    "husband fianc girlfriend boyfriend name call go turned reach vegan vegetarian pescatarian studying study majoring major " +
    "favourite favorite prefer like love enjoy hate dislike adore detest stand use uses using used eat drink allergic into fan always " +
    "never forward decided agreed settled opted chose let going decision deploy build adopted switched migrated changed converted " +
    "transitioned replaced dropped ditched got abandoned updated set bumped renamed raised lowered increased reduced pushed " +
    "rescheduled postponed extended upgraded downgraded runs listens remember note keep forget record save memorize memorise store " +
    "update correct confirm correction reminder fyi know clear actually jan january feb february mar march apr april may jun june jul " +
    "july aug august sep sept september oct october nov november dec december yesterday tomorrow last next this since in longer anymore stopped ci " +
    "monday tuesday wednesday thursday friday saturday sunday weekend weekday"
  ).split(" "),
]);
const WORDS = /[a-z]+/g;
/** Ages, dates and settings may come without any of the words. */
const OTHER = /\d|=/;

/** Whether a sentence is worth reading. */
export function mayTell(sentence: string): boolean {
  if (OTHER.test(sentence)) return true;
  for (const word of sentence.toLowerCase().match(WORDS) ?? []) {
    if (TELLING.has(word) || (word.endsWith("s") && TELLING.has(word.slice(0, -1)))) return true;
  }
  return false;
}
