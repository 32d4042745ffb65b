import { describe, expect, it } from "vitest";
import { createTokenCounter, fromOpenAI } from "../../index.js";
import { RecordedSteps } from "./recorded-steps.js";
import { ViewSearch } from "./view-search.js";

const messages = fromOpenAI([
  { role: "user", content: "The settings are in config/app.json since yesterday evening." },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c", type: "function", function: { name: "read", arguments: '{"path":"config/app.json"}' } }],
  },
]);
const recorded = new RecordedSteps({ messages }, createTokenCounter());
const [needed] = recorded.steps[0]!.needed;
const search = new ViewSearch(recorded);
const look = (content: string) => search.in([{ role: "user", content }])(needed!);

describe("an identifier in a view", () => {
  it("is in its context where the message that holds it is shown whole", () => {
    expect(search.in([messages[0]!])(needed!)).toEqual({ found: true, inContext: true });
  });

  it("is in its context where another text repeats it with the words around it", () => {
    expect(look("Earlier: settings are in config/app.json since yesterday.")).toEqual({ found: true, inContext: true });
  });

  it("is found but out of its context in a list of names", () => {
    expect(look("Files: config/app.json, other.json")).toEqual({ found: true, inContext: false });
  });

  it("is not found where it is not", () => {
    expect(look("Files: other.json")).toEqual({ found: false, inContext: false });
  });
});
