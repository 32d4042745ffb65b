/**
 * Who a question asks about. In the first person it asks for what the user said ("What is my dog's name?"); one about
 * "you" asks for what the agent said ("What did you recommend?"). Names are words like others.
 */
const FIRST_PERSON = /\b(?:I|my|me|mine|I['’](?:m|ve|d|ll)|we|our)\b/;
const SECOND_PERSON =
  /\b(?:did|have|had|were) you\b|\byou(?:['’]ve| have| had)? (?:recommended|suggested|said|told|mentioned|advised|proposed|explained|listed|gave|given)\b/i;

const PREFERRED = 1.5;
const USER = new Set(["user", "human"]);
const AGENT = new Set(["assistant", "agent", "ai", "model"]);
const TOOL = new Set(["tool", "function"]);

/** Whether a speaker's name is one for the agent. */
export const isAgent = (speaker: string): boolean => AGENT.has(speaker.toLowerCase());

/** Whether a speaker's name is one for a program that the agent calls. */
export const isTool = (speaker: string): boolean => TOOL.has(speaker.toLowerCase());

/** How much more a speaker's words count for a question: 1 where it does not say. */
export function askedSpeaker(question: string): (speaker: string) => number {
  const asked = SECOND_PERSON.test(question) ? AGENT : FIRST_PERSON.test(question) ? USER : undefined;
  return (speaker) => (asked?.has(speaker.toLowerCase()) ? PREFERRED : 1);
}
