/**
 * The words with which providers say that a request does not fit the model's window, and those with which they say
 * something that only sounds like it. All are matched against lower-case text.
 */

/** Codes that mean overflow and nothing else. */
export const OVERFLOW_CODES: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "contextwindowexceedederror",
  "model_context_window_exceeded",
  "exceed_context_size_error",
  "context_exceeded",
  "context_overflow",
  "tokens_limit_reached",
  "input_too_long",
  "prompt_too_long",
  "string_above_max_length",
]);

/** Limits on use over time or money: waiting or paying helps, a shorter request does not. */
export const QUOTA: readonly RegExp[] = [
  /\bquota\b|insufficient[_ ](quota|balance|credit|fund)|billing|\bcredits?\b|out of (funds|tokens)|payment required/,
  /\b(daily|weekly|monthly)\b|\b(per|a|this|each)[ _-](day|week|month)\b|\b[tr]pd\b|usage[_ ]limit|spend(ing)? (cap|limit)/,
];
export const RATE: readonly RegExp[] = [
  /rate[ _-]?limit|too[ _]many[ _]requests|throttl|slow down|please (wait|(retry|try again) (after|later|in))|concurren/,
  /\b(per|a|each)[ _-](min|minute|sec|second|hour)\b|\b[tr]pm\b|\b[tr]ps\b|hourly/,
];

/** Limits on a part of the request that is not its length in tokens. */
export const OTHER_LIMITS: readonly RegExp[] = [
  /\b(image|picture|video|audio|file|attachment|pdf|base64)s?\b[^\n]{0,80}\b(too (large|big|many|long)|exceed|larger than|dimension|maximum|size limit)/,
  /\b(too many|number of|maximum of \d+) (images|files|pages|pdf pages|tools|functions|messages|stop sequences|documents)\b/,
  /\btools?\b[^\n]{0,60}\b(too (many|long|large)|exceed)|\bfunction\b[^\n]{0,30}\b(name|description)\b/,
  /budget_tokens|stop sequence|\bmetadata\b[^\n]{0,30}too long|string too long[^\n]{0,80}\b(name|id|user|key)\b/,
  /(header|url|uri|cookie)s?\b[^\n]{0,30}too (long|large)/,
];

/** The wished-for output is beyond what the model can give, whatever the input. */
export const OUTPUT_LIMITS: readonly RegExp[] = [
  /max_?(completion_|output_|new_|gen_)?tokens\b['"`]?\s*(\(\d+\)|value|parameter)?[^\n]{0,20}(is too (large|high)|cannot exceed|must be|should be|exceeds|at most|greater than)/,
  /range of max_?tokens|invalid max_?tokens|maximum tokens you requested|max(imum)? (output|completion|new) tokens|completion tokens|output tokens generated/,
];

const SPACE = "(length|window|size|limit|budget)";

/** Wordings that speak of the input or the window. */
export const OVERFLOW: readonly RegExp[] = [
  new RegExp(`context[ _-]?${SPACE}[^\\n]{0,40}(exceed|overflow|surpass|not enough|is only)`),
  new RegExp(`(exceed|beyond|over|surpass)\\w*[^\\n]{0,60}context[ _-]?${SPACE}`),
  new RegExp(`(longer|greater|larger|more|bigger) than [^\\n]{0,40}context([ _-]?${SPACE})?`),
  /max(imum)?( allowed| supported)? (context|prompt|input|model|sequence)[ _-]?(length|size|tokens)/,
  /\b(prompt|input|request|conversation|messages?|context|query)( text| length)?( is| are| was)? too (long|large|big)\b/,
  /\b(prompt|input|messages?|request)( token)?s?( count| length)?\b[^\n]{0,60}\bexceed(s|ed|ing)?\b[^\n]{0,40}\b(max|limit|allowed|maximum)/,
  /\b(prompt|input) tokens?( count)?\b[^\n]{0,60}\b(exceed|only supports|cannot exceed|must not exceed)/,
  /exceed(s|ed)? (the )?model('s)? token limit|tokens in request more than max tokens allowed/,
  /(reduce|decrease|shorten) the (length|size|number of tokens) (of|in) (the |your )?(input |prompt|messages?|request|context)/,
  /range of input length should be|inputs?`?('s)? tokens \+ `?max_new_tokens`? must be|inputs?`? must have less than/,
  /number of (input|prompt) tokens\b[^\n]{0,80}(exceed|cannot|greater|larger)|too many (input|prompt) tokens|prompt (has|contains) too many tokens/,
  /(configured|available|maximum|model('s)?) context (size|window|length)|context length of only|context (the )?overflow|n_ctx\b/,
  /(输入|上下文|提示词?|请求).{0,16}(过长|超过|超出|太长)/,
];

/** Wordings that mean overflow where nothing above says otherwise. */
export const WEAK_OVERFLOW: readonly RegExp[] = [
  /too many tokens|token limit (exceeded|reached)|exceed(s|ed)? (the )?(token|tokens) limit/,
  /exceed(s|ed)? (the )?(max(imum)?|limit)( allowed)?( number)? of( input)? (\d[\d,]*|tokens)/,
  /request[_ ](entity |body )?(is )?too[_ ]large|request exceeds the maximum size|payload too large|content too large/,
];

/** Wordings that name the wished-for output, the input and mostly the window. */
export const SHARES: readonly RegExp[] = [
  /context length is (?<window>\d+)[^\n]*?(?<input>\d+) in (the|your) (messages|prompt)[^\n]*?(?<output>\d+) (in|for) the completion/,
  /context length is (?<window>\d+)[^\n]*?requested (?<output>\d+) output tokens[^\n]*?(?<input>\d+) input tokens/,
  /too large: (?<output>\d+)\.[^\n]*?context length is (?<window>\d+)[^\n]*?has (?<input>\d+) input tokens/,
  /context limit: (?<input>\d+) \+ (?<output>\d+) > (?<window>\d+)/,
  /must be <= (?<window>\d+)[^\n]*?given: (?<input>\d+) `?inputs`? tokens and (?<output>\d+)/,
];
