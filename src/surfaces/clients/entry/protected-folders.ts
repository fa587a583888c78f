import { recordFolders } from "../../../heed.ts";
import type { ProtectedFolders } from "./client.ts";

/** The folders of heed's on this machine, from what `heed.setup.status()` says of places. */
export function protectedFolders(places: {
  state: string;
  config: string;
  cache: string;
  userStore: string;
}): ProtectedFolders {
  return { records: recordFolders(places).records, stores: [places.userStore] };
}

/** A path with `/` alone, as rules write it on every platform. */
export function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
