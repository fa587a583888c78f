/** heed with all that writes: the bundle of a hook holds only what answers, and reads this beside it when it is needed. */
export { openHeed } from "../../heed.ts";
