import { type Content, GoogleGenAI } from "@google/genai";
import { fromGemini, toGemini } from "../../../src/index.js";
import { type Client, isStreamed } from "../client.js";
import { geminiProtocol } from "../protocols/gemini.js";
import { TOOLS } from "../script.js";

const model = "gemini-3-pro-preview";

export const gemini: Client = {
  name: "google genai",
  model,
  protocol: geminiProtocol,
  connect: (url) => {
    const { models } = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: url } });
    const tools = TOOLS.map(({ name, description, schema }) => ({ name, description, parametersJsonSchema: schema }));
    return {
      tools,
      ask: async (view, step) => {
        const { systemInstruction, contents } = toGemini(view.messages);
        const config = { ...(systemInstruction && { systemInstruction }), tools: [{ functionDeclarations: tools }] };
        const request = { model, contents, config };
        const parts = isStreamed(step)
          ? await streamedParts(await models.generateContentStream(request))
          : partsOf(await models.generateContent(request));
        const used = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
        return {
          calls: used.map(({ id = "", name = "", args = {} }) => ({ id, name, input: args })),
          messages: (outputs) => {
            const results = used.map(({ id, name }, at) => ({
              functionResponse: { id, name, response: { output: outputs[at] } },
            }));
            return fromGemini([
              { role: "model", parts },
              ...(results.length > 0 ? [{ role: "user", parts: results }] : []),
            ]);
          },
        };
      },
    };
  },
};

type Parts = NonNullable<Content["parts"]>;
interface Given {
  readonly candidates?: readonly { readonly content?: Content }[];
}

const partsOf = ({ candidates }: Given): Parts => candidates?.[0]?.content?.parts ?? [];

async function streamedParts(chunks: AsyncIterable<Given>): Promise<Parts> {
  const given: Parts = [];
  for await (const chunk of chunks) given.push(...partsOf(chunk));
  return given.filter(({ text }) => text !== "");
}
