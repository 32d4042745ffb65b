export { sealMessage } from "../message/seal-message.js";
