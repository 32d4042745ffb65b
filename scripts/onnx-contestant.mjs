/**
 * Memory with an ONNX model as a contestant of the judge's retrieval, which has the built-in embedder as `varve`. From the
 * project's root, after `npm run build` and `npm install onnxruntime-web`, with a model as `onnxEmbedder` wants
 * it (tokenizer.json beside it or one folder up). It takes some 20 minutes on two cores.
 *
 *   MODEL=PATH/model.onnx node EVAL/judge/retrieval.mjs \
 *     --contestants bm25,$(realpath --relative-to EVAL/contestants scripts)/onnx-contestant
 */
import { onnxEmbedder, openVarve } from "../dist/index.js";

if (!process.env.MODEL) throw new Error("set MODEL to the path of an ONNX file");
const embedder = await onnxEmbedder({ model: process.env.MODEL, batch: 32 });
let opened = 0;

export default {
  name: "varve:onnx",
  async memory() {
    const varve = await openVarve({ store: "memory", embedder });
    const memory = varve.memory({ scope: { user: `retrieval-${++opened}` } });
    return {
      add: (items) => memory.storeMany(items.map(({ text, ...rest }) => ({ content: text, ...rest }))),
      search: async (query, limit) => (await memory.retrieve(query, { limit })).map(({ id }) => id),
      close: () => varve.close(),
    };
  },
};
