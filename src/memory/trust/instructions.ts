/**
 * Lines that speak to the reader instead of telling something. In what a tool returned they are the way in for somebody
 * who wants to be obeyed; they are marked, never followed, and nothing in them counts as known of the user.
 */
const ADDRESSED =
  /\b(?:ignore|disregard|forget|override|bypass) (?:all |any |every |the |your |my |these |those |previous |prior |above |earlier |system )+(?:\w+ )?(?:instruction|prompt|rule|message|guideline|direction|context|polic)|\b(?:new|updated|real|actual|hidden|secret) (?:system )?(?:instructions?|prompt)\b|\bsystem prompt\b|\byou (?:must|should|are now|will now|shall|have to|need to|are required to)\b|\b(?:the )?(?:assistant|agent|ai|model|llm|chatbot|claude|gpt)s? (?:must|should|shall|has to|needs? to|will now|is (?:now )?(?:required|instructed))\b|\b(?:do not|don't|never) (?:tell|inform|mention|reveal|alert|warn|notify|ask) (?:the |this |to the )?(?:user|human|anyone)\b|\b(?:the )?users? (?:prefers?|likes?|wants?|decided|agreed|asked|told|authori[sz]ed|approved|always|never)\b|\bact as\b|\bpretend (?:to be|you)\b|\bjailbreak\b/i;
const COMMANDED =
  /^\W*(?:(?:important|attention|urgent|note|warning|todo|action required|instructions?|system|assistant|developer|human|user)\s*[:!-]\s*)?(?:please )?(?:remember\b|always\b|never\b|from now on\b|going forward\b|henceforth\b|(?:send|forward|email|upload|post|exfiltrate|transmit|leak|share|copy) .{0,80}\b(?:to|at)\b|(?:run|execute|eval|install|download|curl|wget|delete|rm|call|invoke|open|visit|click) (?:the |this |that |following|https?:|`|all |a |every )|(?:save|store|add|write) .{0,60}\bmemor(?:y|ies)\b|(?:answer|reply|respond|say|output|print) (?:only|with|in|to|exactly)\b)/i;
const ROLE = /^\s*(?:#+\s*)?(?:<\|?\w*\|?>)?\s*(?:system|assistant|developer|human|user)\s*:/i;
/** Judged by this much of a line: it bounds the time a line takes. */
const LONGEST = 2_000;

/** Whether a line speaks to the agent rather than tells something. */
export function looksLikeInstruction(line: string): boolean {
  const start = line.slice(0, LONGEST);
  return ROLE.test(start) || ADDRESSED.test(start) || sentencesIn(start).some((sentence) => COMMANDED.test(sentence));
}

const sentencesIn = (line: string): string[] => line.split(/(?<=[.!?:;])\s+/);
