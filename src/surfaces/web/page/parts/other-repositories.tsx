import type { VNode } from "preact";
import { address, show } from "../state/address.ts";

/** Whether a list shows what belongs to other repositories: `all` in the address. */
export function OtherRepositories(): VNode {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={address.value.params["all"] === "yes"}
        onChange={({ currentTarget }) => show({ all: currentTarget.checked ? "yes" : "" })}
      />
      other repositories too
    </label>
  );
}
