// Sources name each other as they will be once compiled: `./store.js` is `./store.ts` as long as they are not.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const ours = specifier.startsWith(".") && !context.parentURL?.includes("/node_modules/");
    return next(ours ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
